#include "collectors/session/redact.h"

#include <gtest/gtest.h>

namespace ridge::collectors::session {
namespace {

TEST(RedactTest, WhatAnOptionCallsASecretIsHidden) {
  EXPECT_EQ(redacted_command({"a", "--token=abc", "--password", "x y", "API_KEY=abc", "--hf-token", "q"}),
            "a '--token=***' --password *** 'API_KEY=***' --hf-token ***");
}

TEST(RedactTest, NamesInsideAnArgumentHideWhatTheyName) {
  EXPECT_EQ(
      redacted_command({"--opts=token=abc", "--secret: abc", "{\"password\": \"a b\", \"n\": 1}", "x.db_pass=abc"}),
      "'--opts=token=***' '--secret: ***' '{\"password\": \"***\", \"n\": 1}' 'x.db_pass=***'");
  EXPECT_EQ(redacted_command({"sh", "-c", "API_KEY=abc run --hf-token abc --steps 3; export PASS=\"a b\""}),
            "sh -c 'API_KEY=*** run --hf-token *** --steps 3; export PASS=\"***\"'");
}

TEST(RedactTest, HeadersAreHiddenToTheirEnd) {
  EXPECT_EQ(
      redacted_command({"a", "-H", "Authorization: Bearer abc", "Proxy-Authorization: Basic YTpi", "Cookie: a=b; c=d"}),
      "a -H 'Authorization: ***' 'Proxy-Authorization: ***' 'Cookie: ***'");
  EXPECT_EQ(redacted_command({"a", "bearer abc"}), "a 'bearer ***'");
}

TEST(RedactTest, ShortOptionsForPasswordsAreTakenForThem) {
  EXPECT_EQ(redacted_command({"a", "-p", "abc", "-p", "8080", "-u", "me:abc", "--user", "me", "-v", "abc"}),
            "a -p *** -p 8080 -u 'me:***' --user me -v abc");
}

TEST(RedactTest, OptionsThatOnlySoundLikeSecretsStay) {
  const std::vector<std::string> command = {"run.py",     "--max-tokens", "256", "--tokenizer=gpt2", "--author", "me",
                                            "--monkey=1", "--keys",       "4",   "--bypass=2",       "a:b",      "x=1"};
  EXPECT_EQ(redacted_command(command),
            "run.py --max-tokens 256 --tokenizer=gpt2 --author me --monkey=1 --keys 4 --bypass=2 a:b x=1");
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
                                          {"NVIDIA_REQUIRE_CUDA", "cuda>=13.0 brand=tesla"},
                                          {"LOCAL_RANK", "3"}});
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0], std::make_pair(std::string("CUDA_VISIBLE_DEVICES"), std::string("0,1")));
  EXPECT_EQ(kept[1], std::make_pair(std::string("LOCAL_RANK"), std::string("3")));
}

}  // namespace
}  // namespace ridge::collectors::session
