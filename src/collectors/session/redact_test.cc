#include "collectors/session/redact.h"

#include <gtest/gtest.h>

namespace ridge::collectors::session {
namespace {

TEST(RedactTest, WhatAnOptionCallsASecretIsHidden) {
  EXPECT_EQ(redacted_command({"a", "--token=abc", "--password", "x y", "API_KEY=abc", "--hf-token", "q"}),
            "a '--token=***' --password *** 'API_KEY=***' --hf-token ***");
}

TEST(RedactTest, OptionsThatOnlySoundLikeSecretsStay) {
  const std::vector<std::string> command = {"run.py",     "--max-tokens", "256", "--tokenizer=gpt2", "--author", "me",
                                            "--monkey=1", "--keys",       "4"};
  EXPECT_EQ(redacted_command(command), "run.py --max-tokens 256 --tokenizer=gpt2 --author me --monkey=1 --keys 4");
}

TEST(RedactTest, AnOptionAfterASecretsNameIsNoSecret) {
  EXPECT_EQ(redacted_command({"a", "--password", "--size", "5"}), "a --password --size 5");
}

TEST(RedactTest, UsersOfAddressesAreHidden) {
  EXPECT_EQ(redacted_command({"a", "https://me:pw@host/x", "s3://bucket/y", "--url=ftp://u@h/?key=9&n=1"}),
            "a 'https://***@host/x' s3://bucket/y '--url=ftp://***@h/?key=***&n=1'");
}

TEST(RedactTest, KnownKindsOfTokensAreHiddenWithoutAName) {
  EXPECT_EQ(redacted_command({"a", "hf_abcdefghijklmnopqrst", "--x=ghp_abcdefghijklmnopqrst", "hf_short"}),
            "a *** '--x=***' hf_short");
}

TEST(RedactTest, ArgumentsReadAsAShellWantsThem) {
  EXPECT_EQ(redacted_command({"a b", "", "it's"}), "'a b' '' 'it'\\''s'");
}

TEST(RedactTest, OnlyNamesKnownToBeHarmlessAreKeptOfTheEnvironment) {
  const auto kept = harmless_environment({{"AWS_SECRET_ACCESS_KEY", "x"},
                                          {"CUDA_VISIBLE_DEVICES", "0,1"},
                                          {"CUDA_TOKEN", "x"},
                                          {"HOME", "/root"},
                                          {"LOCAL_RANK", "3"}});
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0], std::make_pair(std::string("CUDA_VISIBLE_DEVICES"), std::string("0,1")));
  EXPECT_EQ(kept[1], std::make_pair(std::string("LOCAL_RANK"), std::string("3")));
}

}  // namespace
}  // namespace ridge::collectors::session
