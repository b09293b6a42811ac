// The entry of @hilo/cli: the command line as a function.
export { runProgram } from './program.ts';
