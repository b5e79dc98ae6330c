import { isIdle } from './expiry.ts';

/** How often, in ms, other tabs learn of input. */
const reportEveryMs = 10_000;

/** Whether the person uses one of the tabs. */
export type Idleness = {
  isIdle: () => boolean;
  lastInputMs: () => number;
  /** Reports input in this tab. */
  noteInput: () => void;
  /** Looks whether the person has become idle. */
  look: (now: number) => void;
};

/** Watches for input in all tabs: activity in one keeps the session of all awake, since an idle one would end it for all. */
export function watchIdleness({ onIdle, onAwake }: { onIdle: () => void; onAwake: () => void }): Idleness {
  let lastInput = Date.now();
  let idle = false;
  let reportedAt = 0;
  const wake = (): void => {
    lastInput = Date.now();
    if (!idle) return;
    idle = false;
    onAwake();
  };
  const tabs = new BroadcastChannel('portal-input');
  tabs.onmessage = () => wake();
  return {
    isIdle: () => idle,
    lastInputMs: () => lastInput,
    noteInput() {
      wake();
      if (lastInput - reportedAt < reportEveryMs) return;
      reportedAt = lastInput;
      tabs.postMessage('input');
    },
    look(now) {
      if (idle || !isIdle(lastInput, now)) return;
      idle = true;
      onIdle();
    },
  };
}
