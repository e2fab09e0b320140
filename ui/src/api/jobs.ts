// Waiting for a job of the server: it is asked for until it has ended.
const ASK_AGAIN_MS = 700;

/** Reads until what is read has ended, and answers it. Nothing is read that is not there yet. */
export async function untilEnded<T>(read: () => Promise<T | undefined>, isOver: (job: T) => boolean): Promise<T> {
  for (;;) {
    const job = await read();
    if (job !== undefined && isOver(job)) return job;
    await new Promise((later) => setTimeout(later, ASK_AGAIN_MS));
  }
}
