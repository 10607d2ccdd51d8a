// From the details page's human names ("Duration", "Memory Throughput", in 2020 "SOL FB") to the vendor's metric names.
#pragma once

#include <string>
#include <string_view>

namespace ridge::ncu {

/// The vendor's name: as it stands when `name` already is (or holds) one; from the table by name and base unit
/// otherwise ("Memory Throughput" is a share or a rate); "Section: Name" for what is in neither, so that nothing of the
/// page is lost.
[[nodiscard]] std::string metric_of_detail(std::string_view section, std::string_view name, std::string_view base_unit);

}  // namespace ridge::ncu
