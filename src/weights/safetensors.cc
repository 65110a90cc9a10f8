// Layout: header length (8 bytes, little-endian), header (JSON, padded with spaces), data.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

#include "base/file.h"
#include "base/little_endian.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "weights/checksum.h"
#include "weights/stored_tensor.h"

namespace floydnet {
namespace {

constexpr size_t kLengthBytes = 8;
constexpr char kMetadataKey[] = "__metadata__";

// The data of `name` is [begin, end), counted from the end of the header.
struct Entry {
  std::string name;
  DType type = DType::kF32;
  std::vector<int64_t> shape;
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Takes the header as a stream of JSON events, so that duplicate keys are seen and that nothing
// deeper than the format itself is ever stored.
class HeaderHandler : public nlohmann::json::json_sax_t {
 public:
  explicit HeaderHandler(const std::string& source) : source_(source) {}

  std::vector<Entry> entries;
  std::map<std::string, std::string> metadata;

  bool key(std::string& text) override {
    if (place_ == Place::kTop) {
      name_ = text;
      if (!names_.insert(text).second) refuse("is there twice");
    } else if (place_ == Place::kMetadata) {
      field_ = text;
      if (!metadata.emplace(text, "").second) refuse("has the key " + in_quotes(text) + " twice");
    } else {
      open_field(text);
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::kBefore) {
      place_ = Place::kTop;
    } else if (place_ == Place::kTop && name_ == kMetadataKey) {
      place_ = Place::kMetadata;
    } else if (place_ == Place::kTop) {
      place_ = Place::kEntry;
      entries.push_back({});
      entries.back().name = name_;
      has_dtype_ = false;
      shape_.reset();
      offsets_.reset();
    } else {
      refuse_value();
    }
    return true;
  }

  bool end_object() override {
    if (place_ == Place::kEntry) finish_entry();
    place_ = Place::kTop;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ != Place::kEntry || field_ == "dtype") refuse_value();
    place_ = Place::kArray;
    open_array().emplace();
    return true;
  }

  bool end_array() override {
    place_ = Place::kEntry;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kLargest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    if (place_ != Place::kArray || value > kLargest) refuse_value();
    open_array()->push_back(static_cast<int64_t>(value));
    return true;
  }

  bool string(string_t& text) override {
    if (place_ == Place::kMetadata) {
      metadata[field_] = text;
    } else if (place_ == Place::kEntry && field_ == "dtype") {
      set_dtype(text);
    } else {
      refuse_value();
    }
    return true;
  }

  bool null() override { refuse_value(); }
  bool boolean(bool) override { refuse_value(); }
  bool number_integer(number_integer_t) override { refuse_value(); }
  bool number_float(number_float_t, const string_t&) override { refuse_value(); }
  bool binary(binary_t&) override { refuse_value(); }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    // The parser counts the bytes that it has read, the wrong one included.
    const std::size_t wrong = position > 0 ? position - 1 : 0;
    throw InputError::at_byte(source_, kLengthBytes + wrong, "the header is not valid JSON");
  }

 private:
  enum class Place { kBefore, kTop, kMetadata, kEntry, kArray };

  [[noreturn]] void refuse(const std::string& problem) const {
    const bool is_metadata = name_ == kMetadataKey;
    throw InputError::in(source_,
                         (is_metadata ? name_ : "tensor " + in_quotes(name_)) + " " + problem);
  }

  [[noreturn]] void refuse_value() const {
    switch (place_) {
      case Place::kTop:
        refuse("is not described by an object");
      case Place::kMetadata:
        refuse("has a value that is not a string: " + in_quotes(field_));
      case Place::kEntry:
        refuse(field_ == "dtype" ? "has a dtype that is not a string"
                                 : "has a " + field_ + " that is not a list");
      default:
        refuse("has a value in " + field_ + " that is not a whole number from 0 to 2^63-1");
    }
  }

  void open_field(const std::string& field) {
    bool given = false;
    if (field == "dtype") {
      given = has_dtype_;
    } else if (field == "shape") {
      given = shape_.has_value();
    } else if (field == "data_offsets") {
      given = offsets_.has_value();
    } else {
      refuse("has an unknown field " + in_quotes(field));
    }
    if (given) refuse("has the field " + in_quotes(field) + " twice");
    field_ = field;
  }

  std::optional<std::vector<int64_t>>& open_array() {
    return field_ == "shape" ? shape_ : offsets_;
  }

  void set_dtype(const std::string& text) {
    const std::optional<DType> type = dtype_named(text);
    if (!type) refuse("has the dtype " + in_quotes(text) + ", which is not read here");
    entries.back().type = *type;
    has_dtype_ = true;
  }

  void finish_entry() {
    if (!has_dtype_) refuse("has no dtype");
    if (!shape_) refuse("has no shape");
    if (!offsets_) refuse("has no data_offsets");
    if (offsets_->size() != 2) {
      refuse(fmt::format("has {} data_offsets, not 2", offsets_->size()));
    }
    Entry& entry = entries.back();
    entry.shape = *shape_;
    entry.begin = static_cast<uint64_t>(offsets_->front());
    entry.end = static_cast<uint64_t>(offsets_->back());
    check_size(entry);
  }

  void check_size(const Entry& entry) const {
    const std::optional<int64_t> wanted = byte_size(entry.type, entry.shape);
    if (!wanted) refuse("has a shape that is too large: " + shape_text(entry.shape));
    if (entry.end < entry.begin || entry.end - entry.begin != static_cast<uint64_t>(*wanted)) {
      refuse(fmt::format("has the data_offsets [{}, {}], but {} {} takes {} bytes", entry.begin,
                         entry.end, floydnet::name(entry.type), shape_text(entry.shape), *wanted));
    }
  }

  const std::string& source_;
  Place place_ = Place::kBefore;
  std::set<std::string> names_;
  std::string name_;
  std::string field_;
  bool has_dtype_ = false;
  std::optional<std::vector<int64_t>> shape_;
  std::optional<std::vector<int64_t>> offsets_;
};

std::string_view header_of(std::string_view bytes, const std::string& source) {
  if (bytes.size() < kLengthBytes) {
    throw InputError::in(source, "is too short for a safetensors file");
  }
  const auto length = load_little_endian<uint64_t>(bytes, 0);
  if (length > kMaxSafetensorsHeader) {
    throw InputError::at_byte(source, 0,
                              fmt::format("a header of {} bytes is longer than the {} allowed",
                                          length, kMaxSafetensorsHeader));
  }
  if (length > bytes.size() - kLengthBytes) {
    throw InputError::at_byte(source, 0,
                              fmt::format("a header of {} bytes is longer than the file", length));
  }
  return bytes.substr(kLengthBytes, length);
}

void parse_header(std::string_view header, const std::string& source, HeaderHandler& handler) {
  if (header.empty() || header.front() != '{') {
    throw InputError::at_byte(source, kLengthBytes, "the header does not begin with '{'");
  }
  // The JSON parser takes a zero byte for the end of its input.
  const size_t zero = header.find('\0');
  if (zero != std::string_view::npos) {
    throw InputError::at_byte(source, kLengthBytes + zero, "the header is not valid JSON");
  }
  nlohmann::json::sax_parse(header.begin(), header.end(), &handler);
}

// The entries, sorted by place, must follow one another from the first byte of data to the last.
void check_cover(std::vector<Entry>& entries, uint64_t data_size, const std::string& source) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  uint64_t covered = 0;
  for (const Entry& entry : entries) {
    if (entry.end > data_size) {
      throw InputError::in(source, fmt::format("tensor {} ends at data byte {}, but there are {}",
                                               in_quotes(entry.name), entry.end, data_size));
    }
    if (entry.begin != covered) {
      throw InputError::in(
          source, fmt::format("tensor {} begins at data byte {}, which leaves {} at byte {}",
                              in_quotes(entry.name), entry.begin,
                              entry.begin < covered ? "an overlap" : "a hole",
                              std::min(entry.begin, covered)));
    }
    covered = entry.end;
  }
  if (covered != data_size) {
    throw InputError::in(
        source, fmt::format("{} bytes are left over after the last tensor", data_size - covered));
  }
}

void check_tensor(const std::string& name, const StoredTensor& tensor) {
  if (name == kMetadataKey) {
    throw std::invalid_argument("no tensor can have the name __metadata__ in safetensors");
  }
  const std::optional<int64_t> wanted = byte_size(tensor.type, tensor.shape);
  if (!wanted || static_cast<uint64_t>(*wanted) != tensor.bytes.size()) {
    throw std::invalid_argument(fmt::format("tensor {} has {} bytes, which is not {} {}",
                                            in_quotes(name), tensor.bytes.size(),
                                            floydnet::name(tensor.type), shape_text(tensor.shape)));
  }
}

std::string format_header(const TensorFile& file) {
  nlohmann::json header = nlohmann::json::object();
  header[kMetadataKey] = file.metadata;
  header[kMetadataKey][kChecksumKey] = checksum_of(file);
  uint64_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    check_tensor(name, tensor);
    const uint64_t end = offset + tensor.bytes.size();
    header[name] = {{"dtype", floydnet::name(tensor.type)},
                    {"shape", tensor.shape},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  try {
    return header.dump();
  } catch (const nlohmann::json::type_error&) {
    throw std::invalid_argument("a name or text of metadata is not UTF-8");
  }
}

/// Takes the checksum out, if there is one.
void verify(TensorFile* file, const std::string& source) {
  const auto stored = file->metadata.find(kChecksumKey);
  if (stored == file->metadata.end()) return;
  const std::string found = checksum_of(*file);
  if (stored->second != found) {
    throw InputError::in(source, fmt::format("damaged: its checksum is {}, but {} is stored", found,
                                             in_quotes(stored->second)));
  }
  file->metadata.erase(stored);
  file->verified = true;
}

}  // namespace

TensorFile parse_safetensors(std::string_view bytes, const std::string& source) {
  const std::string_view header = header_of(bytes, source);
  HeaderHandler handler(source);
  parse_header(header, source, handler);
  const std::string_view data = bytes.substr(kLengthBytes + header.size());
  check_cover(handler.entries, data.size(), source);

  TensorFile file;
  file.metadata = std::move(handler.metadata);
  for (Entry& entry : handler.entries) {
    file.tensors[entry.name] = {entry.type, std::move(entry.shape),
                                std::string(data.substr(entry.begin, entry.end - entry.begin))};
  }
  verify(&file, source);
  return file;
}

std::string format_safetensors(const TensorFile& file) {
  std::string header = format_header(file);
  header.resize((header.size() + 7) / 8 * 8, ' ');
  if (header.size() > kMaxSafetensorsHeader) {
    throw std::invalid_argument("too many tensors for the header of one safetensors file");
  }
  std::string bytes;
  append_little_endian<uint64_t>(bytes, header.size());
  bytes += header;
  for (const auto& [name, tensor] : file.tensors) bytes += tensor.bytes;
  return bytes;
}

TensorFile read_safetensors(const std::string& path) {
  return parse_safetensors(read_file(path), path);
}

void write_safetensors(const std::string& path, const TensorFile& file) {
  write_file_atomically(path, format_safetensors(file));
}

}  // namespace floydnet
