/** Looks how long this thread worked: other processes on the machine do not count. @returns the milliseconds since then */
export function threadWork(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}
