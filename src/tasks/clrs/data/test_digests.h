// SHA-256 of arrays, for tests.
#pragma once

#include <openssl/evp.h>

#include <memory>
#include <string>
#include <vector>

#include "tasks/clrs/data/arrays.h"

namespace floydnet::clrs {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
  }
  void append(const double* values, int64_t count) {
    EVP_DigestUpdate(context_.get(), values, count * sizeof(double));
  }
  void append(const std::string& text) {
    EVP_DigestUpdate(context_.get(), text.data(), text.size());
  }
  std::string hex() {
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), bytes, &size);
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
      text += "0123456789abcdef"[bytes[i] >> 4];
      text += "0123456789abcdef"[bytes[i] & 15];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

struct Digest {
  std::string key;
  Dtype dtype;
  std::vector<int64_t> shape;
  std::string sha256;
};

class DigestSink : public ArraySink {
 public:
  void begin(const std::string& key, Dtype dtype, const std::vector<int64_t>& shape) override {
    end();
    digests_.push_back({key, dtype, shape, ""});
    current_ = std::make_unique<Sha256>();
  }
  void append(const double* values, int64_t count) override { current_->append(values, count); }
  std::vector<Digest> finish() {
    end();
    return digests_;
  }

 private:
  void end() {
    if (current_) digests_.back().sha256 = current_->hex();
    current_.reset();
  }

  std::vector<Digest> digests_;
  std::unique_ptr<Sha256> current_;
};

}  // namespace floydnet::clrs
