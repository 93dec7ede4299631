// Kernel: generated code (or a plan to interpret) with its owner and its name. Cheap to copy, and
// alive as long as someone holds it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "ir/frame.h"
#include "ir/spec.h"

namespace pto::jit {

enum class Backend : std::uint8_t { Auto, Xbyak, Llvm, Interpreter };

std::string_view name_of(Backend backend);
std::optional<Backend> backend_named(std::string_view name);

// What a kernel is called: a text, or the spec that is printed when someone asks.
class KernelName {
 public:
  KernelName(std::string text) : name_(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  KernelName(const char* text) : name_(text) {}             // NOLINT(google-explicit-constructor)
  KernelName(const KernelSpec& spec) : name_(spec) {}       // NOLINT(google-explicit-constructor)

  std::string text() const;

 private:
  std::variant<std::string, KernelSpec> name_;
};

using KernelEntry = void (*)(const Frame* frame, const void* context);

// How a kernel is called, for whoever knows that it is held.
struct KernelCall {
  KernelEntry entry = nullptr;
  const void* context = nullptr;

  void operator()(const Frame& frame) const { entry(&frame, context); }
};

struct KernelFacts {
  KernelEntry entry = nullptr;
  const void* context = nullptr;
  Backend backend = Backend::Interpreter;
  std::span<const std::byte> code{};
  std::size_t footprint = 0;  // bytes a cache counts for it
  KernelName name;
};

// Owns whatever the entry and the context need; each backend that owns something new derives.
class KernelBody {
 public:
  explicit KernelBody(KernelFacts facts) : facts_(std::move(facts)) {}
  virtual ~KernelBody() = default;
  KernelBody(const KernelBody&) = delete;
  KernelBody& operator=(const KernelBody&) = delete;
  KernelBody(KernelBody&&) = delete;
  KernelBody& operator=(KernelBody&&) = delete;

 protected:
  // From now on, for whoever sees it; others call the entry there was, with the same context.
  // Releases what the entry leads to, to the callers below.
  void enter_by(KernelEntry other) const {
    std::atomic_ref(facts_.entry).store(other, std::memory_order_release);
  }

 private:
  friend class Kernel;

  // Pairs with enter_by() without acquiring: entries that come later are x86-64 code, which does
  // its loads in order and gets to what it reads by this address alone.
  KernelEntry entry() const {
    return std::atomic_ref(facts_.entry).load(std::memory_order_relaxed);
  }

  mutable KernelFacts facts_;
  // On a cache line of its own: counting holders must not slow down callers.
  // Taking a share needs no order: whoever copies a kernel has one. Letting go releases what the
  // holder did with the kernel to the last one, who acquires it and deletes.
  alignas(64) std::atomic<std::uint32_t> holders_{1};
};

class Kernel {
 public:
  explicit Kernel(std::unique_ptr<KernelBody> body) : body_(body.release()) {}
  Kernel(const Kernel& other) noexcept : body_(other.body_) { hold(); }
  Kernel(Kernel&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}
  Kernel& operator=(const Kernel& other) noexcept { return *this = Kernel(other); }
  Kernel& operator=(Kernel&& other) noexcept {
    Kernel taken(std::move(other));
    std::swap(body_, taken.body_);
    return *this;
  }
  ~Kernel() { let_go(); }

  // Unchecked: the frame must be what the plan expects.
  void operator()(const Frame& frame) const { body_->entry()(&frame, body_->facts_.context); }

  KernelCall call() const { return {body_->entry(), body_->facts_.context}; }

  std::string name() const { return body_->facts_.name.text(); }
  Backend backend() const { return body_->facts_.backend; }
  std::span<const std::byte> code() const { return body_->facts_.code; }
  std::size_t footprint() const { return body_->facts_.footprint; }

  // The same kernel, not one that does the same.
  bool operator==(const Kernel&) const = default;

 private:
  void hold() {
    if (body_) body_->holders_.fetch_add(1, std::memory_order_relaxed);
  }
  void let_go() {
    if (body_ && body_->holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete body_;
  }

  KernelBody* body_;
};

}  // namespace pto::jit
