// Loads a plugin, has a thread use it, unloads it, and lets the thread end only then.
#include <dlfcn.h>

#include <cstdio>
#include <future>
#include <thread>

int main(int argc, char** argv) {
  void* plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!plugin) {
    std::fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "usage: host PLUGIN");
    return 1;
  }
  const auto move_row = reinterpret_cast<int (*)()>(dlsym(plugin, "move_row"));
  if (!move_row) return 1;
  std::promise<int> moved;
  std::promise<void> unloaded;
  std::thread user([&] {
    moved.set_value(move_row());
    unloaded.get_future().wait();
  });
  const int failed = moved.get_future().get();
  dlclose(plugin);
  unloaded.set_value();
  user.join();
  return failed;
}
