import type { ModuleContext } from '../../platform/module.ts';
import { makeDeliveries } from './webhook-events.ts';
import { atOnce, sendUnit, takeDue } from './webhook-sending.ts';

/** Interval, in ms, at which a worker looks for due retries; new events are notified. */
const LOOK_EVERY_MS = 5_000;

/**
 * Sends webhooks while the worker runs: at most sixteen at the same time, three of one account and two to one receiver. All pending work is in the
 * database, so any worker can crash and the others continue. The returned function waits for deliveries under way.
 */
export async function startWebhookWorker(context: ModuleContext): Promise<() => Promise<void>> {
  const { db, clock, log } = context;
  const sending = new Set<Promise<void>>();
  let looking: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  const look = async (): Promise<void> => {
    do {
      again = false;
      try {
        // What is made is sent before more is made: a long bulk change of one account keeps no other's from its receiver.
        if (!stopped && (await makeDeliveries(context))) again = true;
        const due = stopped || sending.size >= atOnce ? [] : await takeDue(db, clock(), atOnce - sending.size);
        for (const one of due) {
          const sent: Promise<void> = sendUnit(context, one)
            .catch((error: unknown) => log.error('sending a webhook failed', { error, deliveryId: one.deliveryId }))
            .finally(() => {
              sending.delete(sent);
              start();
            });
          sending.add(sent);
        }
      } catch (error) {
        log.error('looking for webhooks to send failed', { error });
      }
    } while (again && !stopped);
    looking = null;
  };
  const start = (): void => {
    if (looking) again = true;
    else if (!stopped) looking = look();
  };
  const stopListening = await db.listen('webhooks', start);
  const timer = setInterval(start, LOOK_EVERY_MS).unref();
  start();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await stopListening();
    await looking;
    await Promise.all(sending);
  };
}
