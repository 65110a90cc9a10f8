#include "base/csv.h"
#include "floydnet/error.h"
#include "fuzz.h"

using namespace floydnet;

/// What is read, written and read again is the same.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const CsvTable table = parse_csv_table(fuzz_text(data, size), "fuzz");
    for (const CsvRow& row : table.rows) {
      for (const std::string& field : row.fields) {
        const std::string line = "x," + csv_field(field);
        CsvReader reader(line, "again");
        CsvRow again;
        fuzz_require(reader.next(again) && again.fields.size() == 2 && again.fields[1] == field);
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {"a,b\n1,2\n", "a,b\r\n\"1, \"\"x\"\"\n\",2",
          "\xef\xbb\xbf"
          "a\n\n\"\"\n",
          "a,b\n1\n", "\"a"};
}
