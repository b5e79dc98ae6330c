import { expect, it } from 'vitest';
import { startChat } from './chat.ts';

const config = {
  baseCoreURL: 'https://chat.example.net',
  communityEndpointURL: 'https://chat.example.net/c',
  orgId: '00D',
  eswConfigDevName: 'Portal',
  mergeSettings: { a: 1 },
  gslbBaseURL: 'https://gslb.example.net',
};
const person = { idToken: 'aa.bb.cc', name: 'Tess', email: 'tess@example.net', accountName: 'EXAMPLE-AU' };

/** A page in which the chat script arrives, or does not. */
function page(outcome: 'load' | 'error', widget?: { settings: Record<string, unknown>; init: (...args: unknown[]) => void }) {
  const scripts: { src: string }[] = [];
  const script = { src: '' } as { src: string; onload?: () => void; onerror?: () => void };
  const view = {
    embedded_svc: widget,
    document: {
      createElement: () => script,
      head: {
        append: (added: typeof script) => {
          scripts.push(added);
          queueMicrotask(() => (outcome === 'load' ? added.onload?.() : added.onerror?.()));
        },
      },
    },
  };
  return { view: view as never, scripts };
}

it('loads from the core address, is prefilled, and starts with the configuration', async () => {
  const started: unknown[][] = [];
  const widget = { settings: {} as Record<string, unknown>, init: (...args: unknown[]) => started.push(args) };
  const { view, scripts } = page('load', widget);
  const chat = await startChat(config, person, view);
  expect(scripts[0]?.src).toBe('https://chat.example.net/embeddedservice/5.0/esw.min.js');
  expect(JSON.stringify(widget.settings)).toContain('"Name":"Tess","Email":"tess@example.net"');
  expect(JSON.stringify(widget.settings)).toContain('EXAMPLE-AU');
  expect(started).toEqual([[config.baseCoreURL, config.communityEndpointURL, config.gslbBaseURL, '00D', 'Portal', { a: 1 }]]);

  chat.prefill({ ...person, idToken: 'dd.ee.ff', accountName: 'LABNET-AU' });
  expect(JSON.stringify(widget.settings)).not.toMatch(/EXAMPLE-AU|aa\.bb\.cc/);
  expect(widget.settings['extraPrechatFormDetails']).toEqual([
    { label: 'IdToken', value: 'dd.ee.ff', displayToAgent: false },
    { label: 'Account', value: 'LABNET-AU', displayToAgent: true },
  ]);
  expect(started).toHaveLength(1);
});

it('scripts come only from the hosts of the chat, including those that the widget adds', async () => {
  const { view } = page('load', { settings: {}, init: () => undefined });
  let check: ((address: string) => string) | undefined;
  const trustedTypes = {
    createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => {
      expect(name).toBe('default');
      check = rules.createScriptURL;
      return {
        // As a browser: a policy makes addresses only as itself.
        createScriptURL(this: unknown, address: string) {
          if (this === undefined) throw new TypeError('Illegal invocation');
          return rules.createScriptURL(address);
        },
      };
    },
  };
  await startChat(config, person, { ...(view as object), trustedTypes } as never);
  expect(check!('https://gslb.example.net/more.js')).toBe('https://gslb.example.net/more.js');
  expect(() => check!('https://evil.example/more.js')).toThrow('is not the chat service');
});

it('a chat that can’t be loaded is reported as an error, but not shown to the person', async () => {
  await expect(startChat(config, person, page('error').view)).rejects.toThrow('could not be loaded from https://chat.example.net');
  await expect(startChat(config, person, page('load').view)).rejects.toThrow('did not bring the chat');
});
