#include "lockstep/machines/cost_presets.hpp"

#include <array>

namespace lockstep {
namespace {

constexpr double bytes_a_word = 8;
constexpr double bytes_a_mebibyte = 1024 * 1024;
constexpr std::string_view eight_bytes = "8 bytes";

/// The time of a word at that many bits a second.
constexpr double word_at(double bits_per_second) { return 8 * bytes_a_word / bits_per_second; }

/// TACCL's files have microseconds a MB, of 1024 KB: 105 for 1 MB and 0.1025 for 1 KB.
constexpr double word_of_taccl(double microseconds_per_mebibyte) {
  return microseconds_per_mebibyte * 1e-6 / bytes_a_mebibyte * bytes_a_word;
}

constexpr std::array presets{
    // 1 microsecond a byte; 37 ms to copy 1024 numbers.
    CostPreset{.name = "ipsc",
               .machine = "Intel iPSC",
               .time_unit = "seconds",
               .word = "a 4-byte floating-point number",
               .cost = {.beta = 5e-3, .tau = 4e-6, .max_packet_words = 256, .copy_cost = 3.6e-5},
               .source = "Johnsson & Ho, section 2 (start-up, byte and packet) and section 8.1 (copy)"},
    // The file's L is half its round trip of one byte, 13.564364 / 2, so the overheads of both ends are in it.
    CostPreset{.name = "tukey",
               .machine = "Tukey at Argonne National Laboratory, MVAPICH over InfiniBand",
               .time_unit = "seconds",
               .word = eight_bytes,
               .cost = {.beta = 6.782182e-6, .tau = 0.000497e-6 * bytes_a_word},
               .source = "LogGP by Netgauge, in CODES, tests/conf/ng-mpi-tukey.dat: L 6.782182 us, half a round trip "
                         "of 1 byte with both overheads; G 0.000497 us a byte in messages of 4 MiB"},
    CostPreset{.name = "ethernet-10g",
               .machine = "10 Gbit Ethernet, sockets of a Chelsio T110 with TCP offload",
               .time_unit = "seconds",
               .word = eight_bytes,
               .cost = {.beta = 8.9e-6, .tau = word_at(7.6e9)},
               .source = "Feng, Balaji, Baron, Bhuyan & Panda, Performance characterization of a 10-Gigabit Ethernet "
                         "TOE, Hot Interconnects 2005, abstract: 8.9 us, 7.6 Gbit/s"},
    CostPreset{.name = "ethernet-40g",
               .machine = "40 Gbit Ethernet, Open MPI over Cisco usNIC",
               .time_unit = "seconds",
               .word = eight_bytes,
               .cost = {.beta = 1.93e-6, .tau = word_at(37.23e9)},
               .source = "Squyres, MPI over 40Gb Ethernet, Cisco Blogs, NetPIPE 3.7.1 with Open MPI 1.8.1: half a "
                         "round trip 1.93 us, 37.23 Gbit/s"},
    CostPreset{.name = "infiniband-edr",
               .machine = "100 Gbit InfiniBand (EDR) of Azure HC nodes",
               .time_unit = "seconds",
               .word = eight_bytes,
               .cost = {.beta = 1.05e-6, .tau = word_at(96.8e9)},
               .source = "Microsoft, Azure documentation, HC-series VM size performance, 2023: 1.05 us, 96.8 Gbit/s"},
    CostPreset{.name = "infiniband-hdr",
               .machine = "200 Gbit InfiniBand (HDR) of Azure HBv2 nodes",
               .time_unit = "seconds",
               .word = eight_bytes,
               .cost = {.beta = 1.2e-6, .tau = word_at(190e9)},
               .source = "Microsoft, Azure documentation, HBv2-series VM size performance, 2023: 1.2 us, 190 Gbit/s"},
    CostPreset{.name = "infiniband-gpu",
               .machine = "InfiniBand between the GPUs of two Azure NDv2 nodes",
               .time_unit = "seconds",
               .word = eight_bytes,
               .cost = {.beta = 2.6e-6, .tau = word_of_taccl(105)},
               .source = "TACCL (Shah et al., NSDI 2023), topo-ndv2-1MB.json: remote alpha 2.6 us, beta 105 us/MB"},
    CostPreset{.name = "nvlink-v100",
               .machine = "one NVLink between V100 GPUs of an Azure NDv2 node",
               .time_unit = "seconds",
               .word = eight_bytes,
               .cost = {.beta = 0.3e-6, .tau = word_of_taccl(46)},
               .source =
                   "TACCL (Shah et al., NSDI 2023), topo-ndv2-1MB.json: alpha 0.3 us, beta 46 us/MB (23 where two "
                   "links join a pair)"},
    CostPreset{.name = "nvswitch-v100",
               .machine = "NVSwitch between the V100 GPUs of a DGX-2",
               .time_unit = "seconds",
               .word = eight_bytes,
               .cost = {.beta = 0.3e-6, .tau = word_of_taccl(8)},
               .source = "TACCL (Shah et al., NSDI 2023), topo-dgx2-1MB.json: alpha 0.3 us, beta 8 us/MB"},
    CostPreset{.name = "nvswitch-h100",
               .machine = "NVSwitch between the 8 H100 GPUs of an HGX node",
               .time_unit = "seconds",
               .word = eight_bytes,
               .cost = {.beta = 936.25e-9, .tau = word_at(8 * 400e9)},
               .source = "ASTRA-sim, examples/network/analytical/HGX-H100-validated.yml: 936.25 ns, 400 GB/s"},
};

}  // namespace

std::string CostPreset::units() const { return std::string(time_unit) + "; a word is " + std::string(word); }

std::span<const CostPreset> cost_presets() { return presets; }

}  // namespace lockstep
