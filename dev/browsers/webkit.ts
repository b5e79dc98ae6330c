import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { SECOND_MS } from '@portal/contract/days';
import { freePort, start } from '../independent/program.ts';

const driver = '/usr/bin/WebKitWebDriver';
const screen = '/usr/bin/Xvfb';
const browser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').toSorted().at(-1);

/** Whether this machine has WebKit's driver, its small browser, and a screen in memory (Debian packages webkit2gtk-driver, xvfb). */
export const webkitIsInstalled = browser !== undefined && [driver, screen].every(file => existsSync(file));

/** Parts of a page that are found by what a person reads. */
type Kind = 'button' | 'link' | 'heading' | 'field' | 'frame' | 'text';
const selectors: Readonly<Record<Kind, string>> = {
  button: 'button, [role="button"], input[type="submit"]',
  link: 'a[href]',
  heading: 'h1, h2, h3',
  field: 'input, select, textarea',
  frame: 'iframe[data-painted]',
  text: 'a, b, button, code, dd, dt, label, li, p, span, strong, td, th, time, h1, h2, h3',
};

/** Runs in the page: the first shown element of these selectors with this name; null if there is none. */
const findScript = `const [selector, source] = arguments;
const words = new RegExp(source);
const plain = text => (text ?? '').replace(/\\s+/g, ' ').trim();
const nameOf = element => plain(element.getAttribute('aria-label') ?? element.getAttribute('title') ?? element.labels?.[0]?.innerText ?? element.innerText);
const isShown = element => element.checkVisibility({ checkVisibilityCSS: true }) && element.getBoundingClientRect().height > 0 && !element.closest('[inert]');
return [...document.querySelectorAll(selector)].find(element => isShown(element) && words.test(nameOf(element))) ?? null;`;

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
type Element = { [elementKey]: string };

export type WebKit = Awaited<ReturnType<typeof openWebKit>>;

/**
 * Opens WebKit's small browser, driven by WebDriver (W3C WebDriver, 2018). Names are matched as a whole, or by an expression.
 * @throws Error with what the programs wrote when the browser does not open
 */
export async function openWebKit() {
  const display = spawn(screen, ['-displayfd', '1', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const killDisplay = (): void => void display.kill('SIGKILL');
  process.on('exit', killDisplay);
  const number = await firstLineOf(display);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const program = await start(driver, [`--port=${port}`, '--host=127.0.0.1'], {
    ready: `${address}/status`,
    environment: { DISPLAY: `:${number}`, WEBKIT_DISABLE_COMPOSITING_MODE: '1', GTK_A11Y: 'none' },
  });
  const call = async <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> => {
    const answer = await fetch(address + path, { method, ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }) });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`WebKit refuses ${method} ${path}: ${value.error} ${value.message}`);
    return value;
  };
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
      },
    },
  });
  const session = `/session/${sessionId}`;
  const find = (kind: Kind, name: string | RegExp): Promise<Element | null> => {
    const source = typeof name === 'string' ? `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` : name.source;
    return call<Element | null>('POST', `${session}/execute/sync`, { script: findScript, args: [selectors[kind], source] });
  };
  /** Waits for something on the page. @throws Error that names it */
  const see = async (kind: Kind, name: string | RegExp, seconds = 20): Promise<Element> => {
    for (const until = Date.now() + seconds * SECOND_MS; Date.now() < until; await wait(100)) {
      // A document that is being replaced has nothing yet.
      const found = await find(kind, name).catch(() => null);
      if (found) return found;
    }
    throw new Error(`WebKit shows no ${kind} “${String(name)}” at ${await call<string>('GET', `${session}/url`)}`);
  };
  const act = async (kind: Kind, name: string | RegExp, what: string, body?: object): Promise<void> =>
    void (await call('POST', `${session}/element/${(await see(kind, name))[elementKey]}/${what}`, body));
  return {
    go: async (url: string): Promise<void> => void (await call('POST', `${session}/url`, { url })),
    address: (): Promise<string> => call<string>('GET', `${session}/url`),
    find,
    see,
    press: (kind: Kind, name: string | RegExp): Promise<void> => act(kind, name, 'click'),
    async fill(name: string | RegExp, text: string): Promise<void> {
      await act('field', name, 'clear');
      await act('field', name, 'value', { text });
    },
    /** Continues in the frame of this title, once it is shown. */
    async enterFrame(title: string | RegExp): Promise<void> {
      await call('POST', `${session}/frame`, { id: null });
      await call('POST', `${session}/frame`, { id: await see('frame', title) });
    },
    /** Continues in the whole page again. */
    enterPage: async (): Promise<void> => void (await call('POST', `${session}/frame`, { id: null })),
    read: <T>(script: string): Promise<T> => call<T>('POST', `${session}/execute/sync`, { script: `return ${script}`, args: [] }),
    async [Symbol.asyncDispose]() {
      await call('DELETE', session).catch(() => undefined);
      await program.stop();
      killDisplay();
      process.off('exit', killDisplay);
    },
  };
}

async function firstLineOf(child: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return line.trim();
}
