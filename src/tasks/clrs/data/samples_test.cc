#include <gmock/gmock.h>

#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/clrs_data.h"
#include "tasks/clrs/data/export.h"

namespace floydnet::clrs {
namespace {

using ::testing::HasSubstr;

TEST(ClrsSamples, AreTheArraysThatTheProgramWrites) {
  const TemporaryFolder folder;
  for (const std::string& name : algorithm_names()) {
    SamplesOptions options;
    options.length = 8;
    options.seed = 5;
    Recipe recipe;
    recipe.algorithm = &find_algorithm(name);
    recipe.sampler.length = 8;
    recipe.seed = 5;
    recipe.samples = 3;
    write_npz(recipe, folder.file("samples.npz"));
    EXPECT_EQ(Samples(name, options).next(3), read_npz(folder.file("samples.npz"))) << name;
  }
}

TEST(ClrsSamples, AreOneStreamHoweverManyAreAskedFor) {
  const NpyArray whole = Samples("dijkstra").next(5).at("input/A");
  Samples samples("dijkstra");
  std::vector<char> bytes;
  for (const int64_t count : {2, 3}) {
    const NpyArray part = samples.next(count).at("input/A");
    bytes.insert(bytes.end(), part.bytes.begin(), part.bytes.end());
  }
  EXPECT_EQ(bytes, whole.bytes);
  Samples skipping("dijkstra");
  skipping.skip(4);
  const NpyArray last = skipping.next(1).at("input/A");
  EXPECT_TRUE(std::equal(last.bytes.rbegin(), last.bytes.rend(), whole.bytes.rbegin()));
}

TEST(ClrsSamples, RefuseWhatIsTooLargeAndStayWhereTheyAre) {
  Samples samples("bfs");
  EXPECT_THAT(refusal([&] { samples.next(1000, 10'000); }), HasSubstr("ask for fewer at once"));
  EXPECT_THAT(refusal([&] { samples.next(0); }), HasSubstr("at least one sample"));
  EXPECT_EQ(samples.next(2), Samples("bfs").next(2));
  EXPECT_THAT(refusal([] { Samples("bsf"); }), HasSubstr("did you mean 'bfs'"));
}

}  // namespace
}  // namespace floydnet::clrs
