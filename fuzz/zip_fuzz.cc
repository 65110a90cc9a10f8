#include "base/zip.h"
#include "floydnet/error.h"
#include "fuzz.h"

using namespace floydnet;

namespace {

constexpr uint64_t kMaxMember = 1 << 20;

/// The archive written anew with the same members and contents.
std::string rewritten(const ZipReader& reader, bool deflate) {
  ZipWriter writer;
  for (const ZipReader::Member& member : reader.members()) {
    writer.add(member.name, reader.read(member, kMaxMember), deflate);
  }
  return writer.finish();
}

void require_same_contents(const ZipReader& a, const ZipReader& b) {
  fuzz_require(a.members().size() == b.members().size());
  for (const ZipReader::Member& member : a.members()) {
    const ZipReader::Member* other = b.find(member.name);
    fuzz_require(other != nullptr && b.read(*other) == a.read(member));
    fuzz_require(b.read_start(*other, 16) == a.read_start(member, 16));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const ZipReader reader(fuzz_text(data, size), "fuzz");
    for (const bool deflate : {false, true}) {
      const std::string again = rewritten(reader, deflate);
      require_same_contents(reader, ZipReader(again, "again"));
    }
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  std::vector<std::string> seeds = {ZipWriter().finish()};
  for (const bool deflate : {false, true}) {
    ZipWriter writer;
    writer.add("a", "content", deflate);
    seeds.push_back(writer.finish());
    writer.add("zeros", std::string(1000, '\0'), deflate);
    writer.add("folder/", "", deflate);
    writer.add("text", "to be or not to be, that is to be or not", deflate);
    seeds.push_back(writer.finish());
  }
  return seeds;
}
