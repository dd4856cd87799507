#include <iostream>

#include "command.hpp"
#include "manual_page.hpp"

// Writes the page for man to standard output: the build puts it into a file.
int main() { std::cout << lockstep::cli::shell::manual_page(lockstep::cli::shell::options()); }
