// The issues that a live profile may raise: ids, severities and arguments. Texts are in render/text/catalogue.
//
// `reason` is always a library's own words or an error's first sentence, in English. Numbers have the unit named here.
// Each of these is raised once a run, with the sum of what happened, unless "each" says otherwise.
//
// | id                                | severity  | arguments                                                         |
// |-----------------------------------|-----------|-------------------------------------------------------------------|
// | profile-attached                  | error     | variable, value: an injection library is already set; no timing   |
// | profile-agent-missing             | error     | path, reason: libridge_agent.so cannot be used; no timing         |
// | profile-agent-other-build         | error     | process (text), protocol, wanted (count): agent of another build  |
// | profile-agent-not-loaded          | error     | none: no process of the program started to use CUDA with the agent|
// | profile-cupti-missing             | error     | reason, searched (text, paths); no timing                         |
// | profile-timing-unavailable        | error     | reason: no activity records                                       |
// | profile-callbacks-unavailable     | notice    | reason: another subscriber; no counters, no ranges                |
// | profile-no-permission             | notice    | reason: counters are for administrators only                      |
// | profile-counters-busy             | notice    | reason: another profiler or a monitor (DCGM) holds the counters   |
// | profile-counters-unavailable      | notice    | device (text), reason: chip unknown, MIG, no passes ...           |
// | profile-counters-no-pass          | info      | count, quantities (text), device (text): more passes than allowed |
// | profile-counters-not-on-chip      | notice    | count, quantities (text), device (text): of a person's own recipes|
// | profile-mig                       | notice    | device (text): a slice, of which DRAM and L2 are not told         |
// | profile-metrics-unknown           | error     | count, reason (text, names and what was meant), device: --metrics |
// | profile-sampling-unavailable      | notice    | device (text), reason                                             |
// | profile-sampler-late              | notice    | seconds: sampling began that long after the first launch          |
// | profile-replay-failed             | notice    | kernels (count), kernel (an example), reason (of the first)       |
// | profile-evaluation-failed         | notice    | launches (count, or ranges), kernel (an example, or range), reason|
// | profile-counters-unmatched        | notice    | launches (count): counters of launches with no activity record    |
// | profile-problem                   | notice    | stage (text), code (plain number), reason; each kind once         |
// | profile-process-died              | data-loss | process (text), program: it ended without saying so; each         |
// | profile-processes-run-on          | data-loss | processes (count), seconds waited: children outlived the program  |
// | profile-stream-damaged            | data-loss | process (text): its messages could not be read from there; each   |
// | profile-records-dropped           | data-loss | records (count): dropped by CUPTI, its buffers were full          |
// | profile-messages-dropped          | data-loss | messages (count): dropped by the agent, the collector was slow    |
// | profile-records-unknown           | notice    | records (count): of a kind this version does not know             |
// | profile-launches-unrecorded       | data-loss | seen, recorded (count): fewer records than launches               |
// | profile-references-unknown        | data-loss | items (count): named a text, shape or device never sent           |
// | profile-times-wrong               | notice    | records (count, of launches, copies, calls, ranges): end before   |
// |                                   |           | start; how long they took is left out                             |
// | profile-sampling-widened          | notice    | device (text), from, to (seconds): decoding could not keep up     |
// | profile-sampling-gap              | data-loss | device (text), gaps (count), seconds: samples lost, not lent      |
// | profile-samples-late              | notice    | launches (count): their records came after the samples were shared|
// | profile-short-launches            | notice    | kernels, launches (count), kernel (the worst), uncertainty (ratio,|
// |                                   |           | its mean), interval (seconds): amounts mixed with neighbours'     |
// | profile-gpu-unexplained           | notice    | seconds, share (ratio of sampled busy time), device (text)        |
// | profile-clock-changed             | notice    | device (text), low, high (hertz): SM clock while kernels ran      |
// | profile-throttled                 | notice    | device (text), reasons (text), share (ratio of readings)          |
// | profile-other-processes           | notice    | device (text), processes (count), names (text): "python (812)"    |
// | profile-telemetry-missing         | info      | device (text), reason: no clocks and power                        |
// | profile-collectives-skipped       | info      | kernels (count): never replayed                                   |
// | profile-cooperative-skipped       | info      | kernels (count): never replayed                                   |
// | profile-graph-kernels-no-counters | info      | kernels (count): launched by graphs only, never replayed          |
// | profile-over-budget               | notice    | kernels (count), spent (seconds): no counters, the budget was used|
// | profile-no-kernels                | error     | none: CUDA was used, no launch was recorded                       |
// | profile-program-killed            | notice    | signal (text): "SIGSEGV"                                          |
// | profile-sink-failed               | error     | reason; to the observer only: the file cannot take it             |
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ridgepoint/model/issue.h"

namespace ridge::collectors::session {

[[nodiscard]] inline Issue make_issue(Severity severity, std::string id, std::vector<Argument> arguments = {}) {
  return Issue{severity, Message("profile-" + std::move(id), std::move(arguments))};
}
[[nodiscard]] inline Argument text(std::string name, std::string value) {
  return {std::move(name), std::move(value), Unit::kNone};
}
[[nodiscard]] inline Argument count(std::string name, double value) {
  return {std::move(name), value, Unit::kCount};
}
[[nodiscard]] inline Argument number(std::string name, double value, Unit unit) {
  return {std::move(name), value, unit};
}

}  // namespace ridge::collectors::session
