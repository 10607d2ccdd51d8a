// What `ridge doctor` shows: which evidence this machine gives, what was found, what to do.
#pragma once

#include <string>
#include <string_view>

#include "analysis/doctor/diagnose.h"
#include "model/doctor/facts.h"
#include "render/machines/document.h"

namespace ridge::render {

inline constexpr std::string_view kDoctorSchema = "ridge.doctor/1";

[[nodiscard]] Document doctor_document(const doctor::Facts& facts, const doctor::Diagnosis& diagnosis,
                                       Language language);
/// Schema "ridge.doctor/1" (docs/reference/doctor-json.md), SI base units.
[[nodiscard]] std::string doctor_json(const doctor::Facts& facts, const doctor::Diagnosis& diagnosis);
/// One row a tier: tier, state, reason.
[[nodiscard]] std::string doctor_csv(const doctor::Diagnosis& diagnosis);

}  // namespace ridge::render
