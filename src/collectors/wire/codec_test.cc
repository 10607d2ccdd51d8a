#include "collectors/wire/codec.h"

#include <gtest/gtest.h>

#include <random>

namespace ridge::collectors::wire {
namespace {

/// One of every message, each field with another value than it begins with.
std::vector<Message> one_of_each() {
  Hello hello{kProtocol, 11, 12, "train", "/c/libcupti.so", 130000, 13000, 1'700'000'000'000'000'000};
  DeviceFound device{1, "NVIDIA H200", "GH100", "0000:3b:00.0", {}, 90, {{16, 132}, {75, -9}}, 151'000'000'000};
  device.uuid.fill(0xa5);
  Launch launch{3, 4, 1, 2, 77, 1001, 5, 100, 250};
  Copy copy{true, MemoryKind::kPinned, MemoryKind::kManaged, 1, 2, 3, 77, 4096, 1002, 300, 301};
  Event event{EventKind::kPageFault, 6, 4711, 1, 2, 1003, 77, 8192, 400, 401};
  CounterImage image{1, 3, {4, 5, 6}, {7, 8, 9}, 1024, 1, 2, 1004, 77, 500, 501, std::string("\0\xff\n", 3)};
  Settings settings{false, true, true, true, false, 1, 2, "a|b", 3, 4, "step", {0, 2}, 5, 6};
  CounterSetup setup{1, 2, 3, {"dram__bytes.sum", ""}, std::string(1000, '\0'), "gemm"};
  return {hello,
          device,
          ContextMade{1, 2},
          Text{3, "void f<int>(int)"},
          Shape{4, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}, 40, 1, 2},
          Launches{{launch, Launch{}, launch}},
          Copies{{copy}},
          Events{{event, event}},
          ThreadTime{4711, 1, 2, 3},
          image,
          Problem{Stage::kRange, -7, "CUPTI_ERROR_HARDWARE_BUSY", 3},
          Dropped{Loss::kUnknownRecords, 99},
          LeaseWanted{false},
          CounterProgress{1, 2, 3, 4, 5, 6, 7, 8, 9},
          CaptureSwitch{true, 5},
          RangeMeasured{6, 1, 2, 3, 4, 5, true, 7, 8, std::string("\0i", 2)},
          Goodbye{2400},
          settings,
          setup,
          Decide{3, {1, 2, 3}, {4, 5, 6}, 7, 1},
          Lease{true},
          Ready{},
          RangeValues{6, 7, 8, 9, 10},
          Stop{}};
}

std::vector<Message> decode_all(Decoder& decoder) {
  std::vector<Message> messages;
  while (auto message = decoder.next()) messages.push_back(*std::move(message));
  return messages;
}

TEST(CodecTest, ThereIsOneOfEachHere) {
  const std::vector<Message> messages = one_of_each();
  ASSERT_EQ(messages.size(), std::variant_size_v<Message>);
  for (std::size_t i = 0; i < messages.size(); ++i) EXPECT_EQ(messages[i].index(), i);
}

TEST(CodecTest, EveryMessageComesBackAsItWent) {
  for (const Message& message : one_of_each()) {
    Decoder decoder;
    const std::string bytes = encode(message);
    decoder.feed(bytes);
    const auto back = decoder.next();
    ASSERT_TRUE(back) << message.index();
    EXPECT_EQ(back->index(), message.index());
    EXPECT_EQ(encode(*back), bytes) << message.index();
    EXPECT_EQ(decoder.pending(), 0U);
    EXPECT_FALSE(decoder.damaged());
  }
}

TEST(CodecTest, FieldsKeepTheirPlaces) {
  Decoder decoder;
  for (const Message& message : one_of_each()) decoder.feed(encode(message));
  const std::vector<Message> back = decode_all(decoder);
  ASSERT_EQ(back.size(), std::variant_size_v<Message>);
  const auto& hello = std::get<Hello>(back[0]);
  EXPECT_EQ(hello.process, 11U);
  EXPECT_EQ(hello.program, "train");
  EXPECT_EQ(hello.now, 1'700'000'000'000'000'000U);
  const auto& device = std::get<DeviceFound>(back[1]);
  EXPECT_EQ(device.uuid[15], 0xa5);
  EXPECT_EQ(device.attributes[1].second, -9);
  const Launch& launch = std::get<Launches>(back[5]).items[2];
  EXPECT_EQ(launch.correlation, 1001U);
  EXPECT_EQ(launch.end, 250U);
  const Copy& copy = std::get<Copies>(back[6]).items[0];
  EXPECT_TRUE(copy.set);
  EXPECT_EQ(copy.to, MemoryKind::kManaged);
  EXPECT_EQ(std::get<CounterImage>(back[9]).image, std::string("\0\xff\n", 3));
  EXPECT_EQ(std::get<Problem>(back[10]).code, -7);
  EXPECT_EQ(std::get<Settings>(back[17]).devices, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(std::get<CounterSetup>(back[18]).metrics, (std::vector<std::string>{"dram__bytes.sum", ""}));
}

TEST(CodecTest, PiecesOfAnyLengthGiveTheSame) {
  std::string stream;
  for (const Message& message : one_of_each()) encode(message, stream);
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    Decoder decoder;
    std::size_t got = 0;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t length = std::uniform_int_distribution<std::size_t>(1, 40)(random);
      decoder.feed(std::string_view(stream).substr(at, length));
      at += length;
      got += decode_all(decoder).size();
    }
    EXPECT_EQ(got, std::variant_size_v<Message>);
    EXPECT_EQ(decoder.pending(), 0U);
  }
}

TEST(CodecTest, ACutStreamYieldsWhatWasWhole) {
  const std::string whole = encode(Text{1, "a"});
  const std::string cut = encode(Text{2, "b"});
  for (std::size_t length = 0; length < cut.size(); ++length) {
    Decoder decoder;
    decoder.feed(whole + cut.substr(0, length));
    EXPECT_EQ(decode_all(decoder).size(), 1U);
    EXPECT_EQ(decoder.pending(), length);
    EXPECT_FALSE(decoder.damaged());
  }
}

void expect_damage(const std::string& bytes) {
  Decoder decoder;
  decoder.feed(encode(Ready{}) + bytes + encode(Ready{}));
  EXPECT_EQ(decode_all(decoder).size(), 1U);
  EXPECT_TRUE(decoder.damaged());
  EXPECT_FALSE(decoder.next()) << "once damaged, always";
}

TEST(CodecTest, ALengthOfNothingAndOneBeyondTheLimitAreDamage) {
  expect_damage(std::string(4, '\0'));
  expect_damage(std::string("\xff\xff\xff\x7f", 4));
}

TEST(CodecTest, AKindThatDoesNotExistIsDamage) {
  expect_damage(std::string("\1\0\0\0", 4) + static_cast<char>(std::variant_size_v<Message>));
}

TEST(CodecTest, BytesAfterTheLastFieldAreDamage) {
  std::string bytes = encode(LeaseWanted{true}) + '\0';
  bytes[0] = static_cast<char>(bytes[0] + 1);
  expect_damage(bytes);
}

TEST(CodecTest, ABoolOfTwoIsDamage) {
  std::string bytes = encode(LeaseWanted{true});
  bytes.back() = 2;
  expect_damage(bytes);
}

TEST(CodecTest, AnEnumeratorThatDoesNotExistIsDamage) {
  std::string bytes = encode(Dropped{Loss::kUnknownRecords, 0});
  bytes[5] = 3;
  expect_damage(bytes);
}

TEST(CodecTest, ATextLongerThanItsFrameIsDamage) {
  std::string bytes = encode(Text{1, "abc"});
  bytes[9] = 4;
  expect_damage(bytes);
}

TEST(CodecTest, AListThatLiesAboutItsLengthTakesNoMemory) {
  std::string bytes = encode(Launches{});
  bytes[5] = bytes[6] = bytes[7] = '\xff';
  expect_damage(bytes);
}

}  // namespace
}  // namespace ridge::collectors::wire
