import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadAhead, watchIntent } from './ahead.ts';
import { hasHighLatency, isSlowConnection, savesData } from './connection.ts';

const lineIs = (connection: object | undefined): void => {
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run());
});
afterEach(() => {
  lineIs(undefined);
  vi.unstubAllGlobals();
  vi.useRealTimers();
  document.body.replaceChildren();
});

test.each([
  [undefined, false],
  [{ effectiveType: '4g' }, false],
  [{ effectiveType: '3g' }, true],
  [{ effectiveType: 'slow-2g' }, true],
  [{ effectiveType: '4g', saveData: true }, true],
])('the connection %j is poor: %s', (line, poor) => {
  expect(isSlowConnection(line)).toBe(poor);
});

test.each([
  [undefined, false],
  [{ effectiveType: '4g', rtt: 50 }, false],
  [{ effectiveType: '4g', rtt: 300 }, true],
  [{ effectiveType: '3g', rtt: 0 }, true],
])('the connection %j is slow: %s', (line, long) => {
  expect(hasHighLatency(line)).toBe(long);
});

describe('what may be needed next', () => {
  const loaders = (count: number) => {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const list = Array.from({ length: count }, (_, place) => () => {
      begun.push(place);
      return new Promise<void>(resolve => ends.push(resolve));
    });
    return { begun, ends, list };
  };

  test('is loaded two at a time, the likeliest first', async () => {
    const { begun, ends, list } = loaders(3);
    const all = loadAhead(list);
    await vi.waitFor(() => expect(begun).toEqual([0, 1]));
    ends[1]!();
    await vi.waitFor(() => expect(begun).toEqual([0, 1, 2]));
    ends[0]!();
    ends[2]!();
    await all;
  });

  test('continues after a failure', async () => {
    const second = vi.fn(async () => undefined);
    await loadAhead([() => Promise.reject(new Error('offline')), second]);
    expect(second).toHaveBeenCalledOnce();
  });

  test.each([{ saveData: true }, { effectiveType: '3g' }])('is not loaded over the connection %j', async line => {
    lineIs(line);
    const { begun, list } = loaders(3);
    await loadAhead(list);
    expect(begun).toEqual([]);
  });
});

describe('the link a person is about to follow', () => {
  const watched = () => {
    const reported: string[] = [];
    document.body.innerHTML =
      '<a id="near" href="/resources/ipv4"><b>IPv4</b></a><a id="other" href="https://elsewhere.example/">Other</a>';
    watchIntent(link => reported.push(link.pathname));
    return reported;
  };
  const over = (target: Element) =>
    target.dispatchEvent(Object.assign(new Event('pointerover', { bubbles: true }), { pointerType: 'mouse' }));

  test('is reported once the pointer rests on it, not when it passes', () => {
    const reported = watched();
    over(document.querySelector('b')!);
    vi.advanceTimersByTime(30);
    over(document.body);
    vi.advanceTimersByTime(500);
    expect(reported).toEqual([]);
    over(document.querySelector('b')!);
    vi.advanceTimersByTime(70);
    expect(reported).toEqual(['/resources/ipv4']);
  });

  test('is reported when it is pressed, and once', () => {
    const reported = watched();
    for (let times = 0; times < 2; times++) document.querySelector('b')!.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(reported).toEqual(['/resources/ipv4']);
  });

  test('is not reported where data is saved, until it is pressed', () => {
    lineIs({ saveData: true });
    expect(savesData()).toBe(true);
    const reported = watched();
    over(document.querySelector('b')!);
    vi.advanceTimersByTime(500);
    expect(reported).toEqual([]);
    document.querySelector('b')!.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(reported).toEqual(['/resources/ipv4']);
  });

  test('of another origin is not reported', () => {
    const reported = watched();
    document.querySelector('#other')!.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(reported).toEqual([]);
  });
});
