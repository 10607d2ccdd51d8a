#include "importers/ncu/collect_command.h"

#include <gtest/gtest.h>

namespace ridge::ncu {
namespace {

TEST(CollectCommandTest, KeepsTheProgramAndChangesTheSetAndTheOutput) {
  EXPECT_EQ(roofline_command("/opt/nvidia/ncu --clock-control none --set basic -o run -f ./lab -n 5 ", "lab"),
            "ncu --set roofline -o run_roofline --clock-control none -f ./lab -n 5");
  EXPECT_EQ(roofline_command("/usr/bin/ncu -o profile.ncu-rep ./a.out", "a.out"),
            "ncu --set roofline -o profile_roofline ./a.out");
  EXPECT_EQ(roofline_command("ncu --set=full --csv --page raw ./a.out", "a.out"),
            "ncu --set roofline -o roofline ./a.out");
}

TEST(CollectCommandTest, NamesTheProgramWhenOnlyThatIsKnown) {
  EXPECT_EQ(roofline_command("", "lab"), "ncu --set roofline -o roofline lab");
  EXPECT_EQ(roofline_command("", ""), "ncu --set roofline -o roofline PROGRAM");
}

}  // namespace
}  // namespace ridge::ncu
