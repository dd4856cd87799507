#include "command.hpp"

int main(int argc, char** argv) { return lockstep::cli::command(argc, argv); }
