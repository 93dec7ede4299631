#include "jit/text/source/sync_text.h"

#include <array>

namespace pto::jit::source {
namespace {

constexpr std::array<std::string_view, 4> kPipes = {"PIPE_S", "PIPE_V", "PIPE_MTE2", "PIPE_MTE3"};

constexpr std::string_view kFlag = R"(
set_flag($from, $to, EVENT_ID0);
wait_flag($from, $to, EVENT_ID0);
)";

constexpr std::string_view kBarrier = R"(
pipe_barrier(PIPE_ALL);
)";

constexpr std::string_view kFlush = R"(
dcci(static_cast<__gm__ void*>(0), cache_line_t::ENTIRE_DATA_CACHE);
dsb(DSB_DDR);
)";

std::string pipe(Pipe pipe) { return std::string(kPipes[static_cast<std::size_t>(pipe)]); }

bool is_wait(const Sync& sync) { return sync.kind != SyncKind::Flush; }

void write(TextWriter& out, const Sync& sync) {
  switch (sync.kind) {
    case SyncKind::Flag:
      return out.lines(kFlag, {{"from", pipe(sync.from)}, {"to", pipe(sync.to)}});
    case SyncKind::Barrier: return out.lines(kBarrier);
    case SyncKind::Flush: return out.lines(kFlush);
  }
}

}  // namespace

void write_syncs(TextWriter& out, const SourcePlan& plan, const Syncs& syncs) {
  bool is_inside = false;
  for (const Sync& sync : syncs) {
    if (is_wait(sync) && plan.placement == Placement::Auto) continue;
    if (is_wait(sync) != is_inside) out.lines(is_inside ? "#endif" : "#ifndef __PTO_AUTO__");
    is_inside = is_wait(sync);
    write(out, sync);
  }
  if (is_inside) out.lines("#endif");
}

}  // namespace pto::jit::source
