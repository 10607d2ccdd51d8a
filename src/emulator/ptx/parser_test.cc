#include "emulator/ptx/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "emulator/ptx/printer.h"

namespace ridge::ptx {
namespace {

using testing::HasSubstr;

constexpr std::string_view kHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

Module good(std::string_view text) {
  auto module = parse(std::string(kHead) + std::string(text));
  if (!module) {
    ADD_FAILURE() << to_string(module.error());
    return {};
  }
  return std::move(*module);
}

std::string error(std::string_view text) {
  const auto module = parse(std::string(text));
  return module ? "" : to_string(module.error());
}

std::string error_in_body(std::string_view body) {
  return error(std::string(kHead) + ".entry k() {\n" + std::string(body) + "\n}\n");
}

const Function& function(const Module& module, std::size_t item = 0) {
  return std::get<Function>(module.items.at(item));
}

Module in_body(std::string_view body) {
  return good(".entry k() {\n" + std::string(body) + "\n}\n");
}

Instruction instruction(std::string_view text) {
  // Instructions are views into their module's text.
  static std::deque<Module> kept;
  const Module& module = kept.emplace_back(in_body(text));
  const auto& statements = function(module).body->statements;
  if (statements.size() != 1) ADD_FAILURE() << text;
  return std::get<Instruction>(statements.at(0));
}

TEST(Parser, ReadsTheHead) {
  const Module module = good(".file 1 \"a.cu\"\n.file 2 \"b.h\", 123, 456\n");
  EXPECT_EQ(module.version_major, 8U);
  EXPECT_EQ(module.version_minor, 0U);
  EXPECT_THAT(module.target, testing::ElementsAre("sm_90"));
  EXPECT_EQ(module.address_size, 64U);
  ASSERT_EQ(module.files.size(), 2U);
  EXPECT_EQ(module.files[1].path, "b.h");
}

TEST(Parser, AVersionIsTwoNumbersAndNotAFraction) {
  const auto module = parse(".version 8.10\n.target sm_100a, debug\n");
  ASSERT_TRUE(module.has_value());
  EXPECT_EQ(module->version_minor, 10U);
  EXPECT_THAT(module->target, testing::ElementsAre("sm_100a", "debug"));
}

TEST(Parser, ReadsAnEntryWithParametersAndDirectives) {
  const Module module = good(R"(.visible .entry copy(
    .param .u64 .ptr .global .align 16 from, .param .align 8 .b8 many[24]
  ) .maxntid 256, 1, 1 .minnctapersm 2 .noreturn { ret; })");
  const Function& entry = function(module);
  EXPECT_TRUE(entry.entry);
  EXPECT_EQ(entry.name, "copy");
  EXPECT_THAT(entry.linkage, testing::ElementsAre("visible"));
  ASSERT_EQ(entry.parameters.size(), 2U);
  EXPECT_THAT(entry.parameters[0].attributes, testing::ElementsAre("ptr", "global"));
  EXPECT_EQ(entry.parameters[0].pointee_alignment, 16U);
  EXPECT_EQ(entry.parameters[0].alignment, 0U);
  EXPECT_EQ(entry.parameters[1].alignment, 8U);
  EXPECT_THAT(entry.parameters[1].dimensions, testing::ElementsAre(24));
  ASSERT_EQ(entry.directives.size(), 3U);
  EXPECT_THAT(entry.directives[0].values, testing::ElementsAre(256, 1, 1));
  EXPECT_EQ(entry.directives[2].name, "noreturn");
}

TEST(Parser, ReadsFunctionsDeclaredAndDefined) {
  const Module module =
      good(".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n.func f() { ret; }\n");
  EXPECT_FALSE(function(module, 0).body.has_value());
  EXPECT_EQ(function(module, 0).results.size(), 1U);
  EXPECT_TRUE(function(module, 1).body.has_value());
}

TEST(Parser, ASemicolonAfterAPragmaEndsADeclarationUnlessTheFunctionGoesOn) {
  const Module module = good(R"(.extern .func f() .pragma "x";
    .global .u32 x;
    .func g() .pragma "x";;
    .pragma "module";
    .func h() .pragma "a"; .pragma "b" .noreturn;
    .func i() .pragma "a"; .maxnreg 32 { ret; }
    .func j() .pragma "a"; { ret; }
    .func k() .pragma "a";)");
  ASSERT_EQ(module.items.size(), 8U);
  EXPECT_FALSE(function(module, 0).body.has_value());
  EXPECT_EQ(std::get<Variable>(module.items[1]).name, "x");
  EXPECT_EQ(function(module, 2).directives.size(), 1U);
  EXPECT_THAT(std::get<Pragma>(module.items[3]).texts, testing::ElementsAre("module"));
  EXPECT_EQ(function(module, 4).directives.size(), 3U);
  EXPECT_EQ(function(module, 5).directives.size(), 2U);
  EXPECT_TRUE(function(module, 5).body.has_value());
  EXPECT_TRUE(function(module, 6).body.has_value());
  EXPECT_EQ(function(module, 7).directives.size(), 1U);
  const std::string printed = print(module);
  const auto again = parse(printed);
  ASSERT_TRUE(again.has_value()) << to_string(again.error()) << "\n" << printed;
  EXPECT_TRUE(*again == module) << printed;
}

TEST(Parser, ReadsVariablesWithTheirInitialValues) {
  const Module module = good(R"(.global .align 4 .u32 one = 5;
    .const .align 8 .b8 table[8] = {1, 2, 0xFF, -1};
    .global .u64 pointers[2] = {generic(one)+4, one};
    .visible .shared .align 16 .b8 tile[];
    .global .f32 grid[2][2] = {{0f3F800000, 2.0}, {1, 2}};
    .global .attribute(.managed) .b8 bytes[2] = {0xFF(one), 0xFF00(one)};)");
  ASSERT_EQ(module.items.size(), 6U);
  const auto variable = [&module](std::size_t i) { return std::get<Variable>(module.items[i]); };
  EXPECT_EQ(variable(0).initial.at(0).bits, 5U);
  EXPECT_EQ(variable(1).initial.at(3).bits, ~std::uint64_t{0});
  EXPECT_TRUE(variable(2).initial.at(0).generic);
  EXPECT_EQ(variable(2).initial.at(0).bits, 4U);
  EXPECT_EQ(variable(2).initial.at(1).symbol, "one");
  EXPECT_TRUE(variable(3).open_dimension);
  EXPECT_THAT(variable(4).dimensions, testing::ElementsAre(2, 2));
  EXPECT_EQ(variable(4).initial.size(), 4U);
  EXPECT_EQ(variable(5).initial.at(1).mask, 0xFF00U);
  EXPECT_THAT(variable(5).attributes, testing::ElementsAre("managed"));
}

std::vector<std::uint64_t> values_of(const Module& module, std::size_t item) {
  std::vector<std::uint64_t> bits;
  for (const InitialValue& each : std::get<Variable>(module.items.at(item)).initial) bits.push_back(each.bits);
  return bits;
}

TEST(Parser, LaysOutInitialValuesAsCDoes) {
  const Module module = good(R"(.global .u32 rows[2][2] = {{1}, {2, 3}};
    .global .v4 .u32 vectors[2] = {{1}, {2, 3}};
    .global .u8 open[][3] = {{1}, {2, 3}, {}};
    .global .u8 mixed[2][2][2] = {1, 2, {3}, {{4}}};
    .global .u8 flat[2][3] = {1, 2, 3, 4};
    .global .v2 .u32 vector = {1, 2};
    .global .u32 braces = {1};)");
  EXPECT_THAT(values_of(module, 0), testing::ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(values_of(module, 1), testing::ElementsAre(1, 0, 0, 0, 2, 3, 0, 0));
  EXPECT_THAT(values_of(module, 2), testing::ElementsAre(1, 0, 0, 2, 3, 0, 0, 0, 0));
  EXPECT_THAT(values_of(module, 3), testing::ElementsAre(1, 2, 3, 0, 4, 0, 0, 0));
  EXPECT_THAT(values_of(module, 4), testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(values_of(module, 5), testing::ElementsAre(1, 2));
  EXPECT_THAT(values_of(module, 6), testing::ElementsAre(1));
}

TEST(Parser, RefusesInitialValuesThatDoNotFit) {
  const auto in_module = [](std::string_view text) { return error(std::string(kHead) + std::string(text)); };
  const auto too_many = HasSubstr("more initial values than elements");
  EXPECT_THAT(in_module(".global .u32 x = {1, 2};"), HasSubstr("than elements (line 4, column 22)"));
  EXPECT_THAT(in_module(".global .u32 x[2] = {1, 2, 3};"), too_many);
  EXPECT_THAT(in_module(".global .u32 x[2][2] = {{1, 2, 3}};"), too_many);
  EXPECT_THAT(in_module(".global .v2 .u32 x[2] = {{1}, {2}, {3}};"), too_many);
  EXPECT_THAT(in_module(".global .v2 .u32 x = {1, 2, 3};"), too_many);
  EXPECT_THAT(in_module(".global .u32 x[][2] = {{1, 2}, {1, 2, 3}};"), too_many);
  EXPECT_THAT(in_module(".global .u32 x[0] = 1;"), too_many);
  EXPECT_THAT(in_module(".global .u8 x[2][0x100000000][0x100000000] = {{1}, {2}};"),
              HasSubstr("braces leave out too many elements"));
  EXPECT_THAT(in_module(".global .u8 x[2] = {0(y), 1};"), HasSubstr("a mask of an address"));
  EXPECT_THAT(in_module(".global .u8 x[2] = {1.0(y), 1};"), HasSubstr("a mask of an address"));
}

TEST(Parser, OnlyParametersPoint) {
  const auto in_module = [](std::string_view text) { return error(std::string(kHead) + std::string(text)); };
  EXPECT_THAT(in_module(".global .b64 .ptr .align 8 x;"), HasSubstr("'.ptr' cannot stand there (line 4, column 14)"));
  EXPECT_THAT(in_module(".global .b64 .u32 x;"), HasSubstr("'.u32' cannot stand there"));
  EXPECT_THAT(in_module(".func f(.param .b64 .global x);"), HasSubstr("'.global' cannot stand there"));
  EXPECT_THAT(in_module(".func f(.param .attribute(.align) .b32 x);"), HasSubstr("expected"));
}

TEST(Parser, ReadsRegistersAloneAndInRanges) {
  const Module module = in_body(".reg .b32 %r<10>, %one;\n.reg .v4 .f32 wide;");
  const auto& statements = function(module).body->statements;
  ASSERT_EQ(statements.size(), 3U);
  EXPECT_EQ(std::get<Variable>(statements[0]).count, 10U);
  EXPECT_EQ(std::get<Variable>(statements[1]).name, "%one");
  EXPECT_EQ(std::get<Variable>(statements[1]).count, 0U);
  EXPECT_EQ(std::get<Variable>(statements[2]).vector, 4U);
}

TEST(Parser, ReadsGuardsModifiersAndOperands) {
  const Instruction each = instruction("@!%p1 ld.global.v2.f32 {%f1, _}, [%rd1+-16];");
  EXPECT_EQ(each.guard, (Guard{"%p1", true}));
  EXPECT_EQ(each.opcode, "ld");
  EXPECT_THAT(each.modifiers, testing::ElementsAre("global", "v2", "f32"));
  ASSERT_EQ(each.operands.size(), 2U);
  EXPECT_EQ(each.operands[0].kind, OperandKind::kVector);
  EXPECT_EQ(each.operands[0].parts.at(1).kind, OperandKind::kSink);
  EXPECT_EQ(each.operands[1].kind, OperandKind::kAddress);
  EXPECT_EQ(each.operands[1].parts.at(0).name, "%rd1");
  EXPECT_EQ(each.operands[1].offset, -16);
}

TEST(Parser, ReadsPairsNegationsElementsAndSymbols) {
  const Instruction pair = instruction("setp.lt.and.s32 %p1|%p2, %r1, %tid.x, !%p3;");
  EXPECT_EQ(pair.operands.at(0).kind, OperandKind::kPair);
  EXPECT_EQ(pair.operands.at(0).parts.at(1).name, "%p2");
  EXPECT_EQ(pair.operands.at(2).element, 'x');
  EXPECT_TRUE(pair.operands.at(3).negated);
  const Instruction symbol = instruction("mov.u64 %rd1, tile+8;");
  EXPECT_EQ(symbol.operands.at(1).name, "tile");
  EXPECT_EQ(symbol.operands.at(1).offset, 8);
}

TEST(Parser, ReadsThePartsThatVideoInstructionsTake) {
  const Instruction video = instruction("vadd4.u32.u32.u32 %r0.b20, %r1.b7610, -%r2.h1, %r3;");
  EXPECT_EQ(video.operands.at(0).selector, "b20");
  EXPECT_EQ(video.operands.at(1).selector, "b7610");
  EXPECT_EQ(video.operands.at(2).selector, "h1");
  EXPECT_TRUE(video.operands.at(2).minus);
  EXPECT_EQ(video.operands.at(3).selector, "");
  EXPECT_THAT(error_in_body("vadd.u32.u32.u32 %r0, %r1.b9, %r2;"), HasSubstr(".b9"));
}

TEST(Parser, KeepsTheSignsOfNamesApart) {
  const Instruction each = instruction("vmad.s32.s32.s32 %r1, -%r2, %r3, !%p1;");
  EXPECT_TRUE(each.operands.at(1).minus);
  EXPECT_FALSE(each.operands.at(1).negated);
  EXPECT_TRUE(each.operands.at(3).negated);
  EXPECT_FALSE(each.operands.at(3).minus);
  EXPECT_EQ(print(each), "vmad.s32.s32.s32 %r1, -%r2, %r3, !%p1;");
  EXPECT_FALSE(instruction("mov.b32 a, -b;") == instruction("mov.b32 a, !b;"));
  EXPECT_THAT(error_in_body("mov.b32 !_, a;"), HasSubstr("_ with a sign (line 5, column 10)"));
  EXPECT_THAT(error_in_body("mov.b32 -_, a;"), HasSubstr("_ with a sign"));
}

TEST(Parser, AnOffsetIsOfTheAddressOnlyAfterAName) {
  EXPECT_THAT(error_in_body("ld.b32 a, [[b+4]];"), HasSubstr("an address inside an address (line 5, column 12)"));
  EXPECT_THAT(error_in_body("ld.b32 a, [b, {[c]}];"), HasSubstr("an address inside an address"));
  const Instruction pair = instruction("ld.b32 a, [b+4|c];");
  EXPECT_EQ(pair.operands.at(1).offset, 0);
  EXPECT_EQ(pair.operands.at(1).parts.at(0).parts.at(0).offset, 4);
  EXPECT_EQ(instruction("ld.b32 a, [b], [c+4];").operands.at(2).offset, 4);
}

TEST(Parser, ReadsCallsAndTensorAddresses) {
  const Instruction call = instruction("call.uni (r), f, (a, b), proto;");
  ASSERT_EQ(call.operands.size(), 4U);
  EXPECT_EQ(call.operands[0].kind, OperandKind::kList);
  EXPECT_EQ(call.operands[2].parts.size(), 2U);
  const Instruction copy = instruction(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%r1], [%rd1, {%r2, %r3}], [%r4];");
  EXPECT_EQ(copy.modifiers.at(7), "mbarrier::complete_tx::bytes");
  ASSERT_EQ(copy.operands.at(1).parts.size(), 2U);
  EXPECT_EQ(copy.operands[1].parts[1].kind, OperandKind::kVector);
}

TEST(Parser, EvaluatesConstantExpressions) {
  const auto value = [](const std::string& text) {
    return instruction("mov.u64 %rd1, " + text + ";").operands.at(1).bits;
  };
  EXPECT_EQ(value("(1 + 2) * 3 << 2"), 36U);
  EXPECT_EQ(value("-7 / 2"), static_cast<std::uint64_t>(-3));
  EXPECT_EQ(value("-7 % 4"), static_cast<std::uint64_t>(-3));
  EXPECT_EQ(value("(.u64)-1 / 2"), 0x7fffffffffffffffU);
  EXPECT_EQ(value("~0U >> 60"), 15U);
  EXPECT_EQ(value("3 > 2 ? 10 : 20"), 10U);
  EXPECT_EQ(value("!0 && (5 == 5) || 0"), 1U);
  EXPECT_EQ(value("0x8000000000000000 / -1"), 0U) << "unsigned, since it does not fit 63 bits";
  EXPECT_THAT(error_in_body("mov.u64 %rd1, 1 / 0;"), HasSubstr("division by zero (line 5, column 17)"));
  EXPECT_THAT(error_in_body("mov.f32 %f1, 1.0 + 2.0;"), HasSubstr("arithmetic of floating-point constants"));
  EXPECT_EQ(instruction("mov.f32 %f1, -0f3F800000;").operands.at(1).bits, 0xBF800000U);
}

TEST(Parser, KeepsLabelsScopesTablesAndPragmas) {
  const Module module = in_body(R"(
    $L1: { .reg .b32 t; add.s32 t, t, 1; }
    ts: .branchtargets $L1, $L2;
    proto: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;
    .pragma "nounroll";
    $L2: ret;)");
  const auto& statements = function(module).body->statements;
  ASSERT_EQ(statements.size(), 7U);
  EXPECT_EQ(std::get<Label>(statements[0]).name, "$L1");
  EXPECT_EQ(std::get<Scope>(statements[1]).statements.size(), 2U);
  EXPECT_THAT(std::get<Table>(statements[2]).targets, testing::ElementsAre("$L1", "$L2"));
  EXPECT_TRUE(std::get<Table>(statements[3]).noreturn);
  EXPECT_THAT(std::get<Pragma>(statements[4]).texts, testing::ElementsAre("nounroll"));
}

TEST(Parser, InstructionsKnowTheLineOfTheirSource) {
  const Module module =
      in_body(".loc 1 12 3\nadd.s32 a, b, 1;\n.loc 2 7 0, function_name $L__info0+4, inlined_at 1 13 5\nret;");
  const auto& statements = function(module).body->statements;
  EXPECT_EQ(std::get<Instruction>(statements.at(0)).source.line, 12U);
  EXPECT_EQ(std::get<Instruction>(statements.at(1)).source.file, 2U);
  EXPECT_EQ(std::get<Instruction>(statements.at(1)).source.line, 7U);
}

TEST(Parser, SkipsDebugSections) {
  const Module module = good(".section .debug_info { .b8 1, 2\n{ } L: .b64 .debug_abbrev }\n.global .b8 after;\n");
  EXPECT_EQ(module.items.size(), 1U);
}

TEST(Parser, SaysWhereAndWhatWasExpected) {
  EXPECT_THAT(error("hello"),
              HasSubstr("expected .version at the begin: is this PTX?, found 'hello' (line 1, column 1)"));
  EXPECT_THAT(error(""), HasSubstr("found the end of the text"));
  EXPECT_THAT(error(".version 8\n"), HasSubstr("the version is not two numbers"));
  EXPECT_THAT(error(".version 8.0\n"), HasSubstr("expected .target"));
  EXPECT_THAT(error_in_body("add.s32 %r1, %r2"),
              HasSubstr("expected ';' after an instruction, found '}' (line 6, column 1)"));
  EXPECT_THAT(error_in_body("@ 5 add.s32 %r1;"), HasSubstr("expected a predicate after @"));
  EXPECT_THAT(error_in_body("ld.b32 %r1, [%rd1;"), HasSubstr("expected ']' after an address"));
  EXPECT_THAT(error_in_body(".reg .b32 %r<0>;"), HasSubstr("a number of registers is 0"));
  EXPECT_THAT(error_in_body(".shared .align 3 .b8 x[4];"), HasSubstr("not a power of two"));
  EXPECT_THAT(error_in_body(".shared .b8 x[4][];"), HasSubstr("only the first dimension"));
  EXPECT_THAT(error(std::string(kHead) + ".entry k() { ret;"), HasSubstr("expected '}' at the end of a function"));
}

TEST(Parser, DeepNestingIsAnErrorAndNotACrash) {
  const std::string many(100'000, '{');
  EXPECT_THAT(error_in_body(many), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_in_body("mov.b32 a, " + std::string(100'000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_in_body("mov.b32 a, " + std::string(100'000, '-')), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_in_body("mov.b32 a, " + many), HasSubstr("nested too deeply"));
  EXPECT_THAT(error(std::string(kHead) + ".global .b32 x = " + many), HasSubstr("nested too deeply"));
}

TEST(Printer, WhatIsPrintedIsTheSameModule) {
  const Module module = good(R"(.file 1 "a.cu"
    .pragma "nounroll";
    .visible .global .align 8 .u64 p[2] = {generic(p)+8, -5};
    .global .attribute(.managed) .f32 f = 0fBF800000;
    .alias other, f1;
    .extern .func (.param .b32 r) ext (.param .b64 a);
    .weak .entry k(.param .u64 .ptr .global .align 16 a, .param .align 4 .b8 b[8]) .maxntid 32, 1, 1 .pragma "x"; {
      .reg .pred %p<3>;
      .reg .b32 %r<5>;
      .loc 1 3 4
      @!%p1 atom.global.add.u32 %r1, [a+-8], -1;
      setp.lt.and.s32 %p1|_, %r1, %tid.x, !%p2;
      vadd.u32.u32.u32 %r1.b0, %r2.h1, %r3, %r4;
      { mov.b64 {%r1, _}, %rd1; }
      call (r), ext, (a), proto;
      proto: .callprototype (.param .b32 _) _ (.param .b64 _);
      ts: .branchtargets L, L;
      L: mov.u64 %rd1, p+8;
      mov.f64 %fd1, 0d3FF0000000000000;
      ld.shared.b32 %r1, [64];
      ret;
    })");
  const std::string printed = print(module);
  const auto again = parse(printed);
  ASSERT_TRUE(again.has_value()) << to_string(again.error()) << "\n" << printed;
  EXPECT_TRUE(*again == module) << printed;
  EXPECT_EQ(print(*again), printed);
}

TEST(Printer, ManyInitialValuesStandInBracesWhateverTheyAreOf) {
  Module module = good(".global .u32 x = 1;");
  EXPECT_THAT(print(module), HasSubstr(".u32 x = 1;"));
  std::get<Variable>(module.items.at(0)).initial.resize(2);
  EXPECT_THAT(print(module), HasSubstr(".u32 x = {1, 0};"));
}

TEST(Printer, PaddedRowsAreTheSameModule) {
  const Module module = good(".global .v2 .u32 x[][2] = {{{1}, {2, 3}}, {}};\n.global .f32 y[2][2] = {{1.0}, {}};");
  const auto again = parse(print(module));
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  EXPECT_TRUE(*again == module) << print(module);
}

TEST(Printer, AnInstructionIsOneLine) {
  EXPECT_EQ(print(instruction("@!%p1   ld.global.f32 %f1 , [ %rd1 + 16 ] ;")), "@!%p1 ld.global.f32 %f1, [%rd1+16];");
}

}  // namespace
}  // namespace ridge::ptx
