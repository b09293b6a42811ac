// Files of tests share a process, and in each one something waits for signals: browsers, databases, commands. Node.js warns of more than ten
// listeners, in the output of whichever command comes next.
process.setMaxListeners(100);
