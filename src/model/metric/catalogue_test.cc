#include "model/metric/catalogue.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "ridgepoint/model/work.h"

namespace ridge {
namespace {

TEST(MetricCatalogueTest, EveryFieldOfWorkIsDescribedInItsOrder) {
  const Work work;
  std::size_t index = 0;
  visit_fields(
      [&](std::string_view path, const auto&) {
        ASSERT_LT(index, metric_catalogue().size());
        EXPECT_EQ(metric_catalogue()[index++].id, path);
      },
      work);
}

TEST(MetricCatalogueTest, IdsAreUniqueAndTextsAreThere) {
  std::set<std::string_view> seen;
  for (const MetricInfo& info : metric_catalogue()) {
    EXPECT_TRUE(seen.insert(info.id).second) << info.id;
    EXPECT_FALSE(info.name.empty()) << info.id;
    EXPECT_FALSE(info.counters.empty()) << info.id;
    EXPECT_TRUE(info.description.ends_with('.')) << info.id;
    EXPECT_EQ(find_metric(info.id), &info);
  }
  EXPECT_EQ(find_metric("bytes.nothing"), nullptr);
}

/// RIDGE_WRITE_REFERENCE=1 writes the page; without it the test holds the page to the catalogue.
TEST(MetricCatalogueTest, ReferencePageIsUpToDate) {
  const std::string path = std::string(RIDGE_SOURCE_DIR) + "/docs/reference/metrics.md";
  if (std::getenv("RIDGE_WRITE_REFERENCE") != nullptr) std::ofstream(path) << metric_reference();
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == metric_reference()) << "run the test with RIDGE_WRITE_REFERENCE=1 and commit " << path;
}

}  // namespace
}  // namespace ridge
