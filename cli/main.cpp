#include "lockstep/command/command.hpp"

int main(int argc, char** argv) { return lockstep::command(argc, argv); }
