#include <iostream>

#include "jit/cli/command.h"

int main(int argc, char** argv) {
  return pto::jit::cli::run_tool(argc, argv, std::cout, std::cerr);
}
