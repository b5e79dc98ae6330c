import { heldSubmitSource } from './held-submit.ts';
/** Kinds of answers, each with the smallest content security policy it works with. */
export type PageKind = 'data' | 'shell' | 'framed' | 'sign-in' | 'asset';

/** Hashes with which a policy allows inline scripts and style sheets of our own HTML (CSP 3, 2.3.1). */
export type InlineHashes = {
  /** Style sheets of the built pages. */
  styles: readonly string[];
  /** The first script of the built pages. */
  scripts: readonly string[];
  /** The style sheet of the sign-in form. */
  formStyles: readonly string[];
};
export const noInlineHashes: InlineHashes = { styles: [], scripts: [], formStyles: [] };

export type HeaderPolicy = {
  /** Origins that optional third-party features need, only when configured (S16). */
  connect: readonly string[];
  frames: readonly string[];
  /** Origins of the live chat, whose widget loads scripts, styles, pictures and frames. */
  chat: readonly string[];
  /** Origin of the portal, for framed pages on another origin. */
  framedBy: readonly string[];
  inline: InlineHashes;
  /** Allows the inline style of the brand in force, its accent colour and logo; empty where there is none. */
  brandSource?: () => string;
  /** Origins a sign-in form may be redirected to. */
  formTargets: readonly string[];
  https: boolean;
};

/** React Aria injects one style rule; a browser test notices when an upgrade changes it. */
const reactAriaStyle = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='";

/** Browser features that none of our pages uses. */
const unused = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
];
/** Only sign-in and login settings pages make passkeys; the portal and the desk use them too, to confirm a change. A framed page doesn't. */
const makers: readonly PageKind[] = ['sign-in'];
const users: readonly PageKind[] = ['sign-in', 'shell'];

/**
 * The headers every answer of a kind carries, whatever its status: error answers, redirects, `/oidc` and what the parser refuses included
 * (S15).
 */
export function securityHeaders(kind: PageKind, policy: HeaderPolicy): Record<string, string> {
  const feature = (name: string, kinds: readonly PageKind[] = []): string => `${name}=${kinds.includes(kind) ? '(self)' : '()'}`;
  const features = [
    ...unused.map(name => feature(name)),
    feature('publickey-credentials-create', makers),
    feature('publickey-credentials-get', users),
  ];
  return {
    'content-security-policy': contentSecurityPolicy(kind, policy),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': features.join(', '),
    ...((kind === 'data' || kind === 'sign-in') && { 'cache-control': 'no-store' }),
    // Browsers ignore it over http (RFC 6797, 8.1).
    ...(policy.https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

function contentSecurityPolicy(kind: PageKind, policy: HeaderPolicy): string {
  const self = (...more: readonly string[]) => ["'self'", ...more].join(' ');
  if (kind === 'data' || kind === 'asset') return "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
  const brand = [policy.brandSource?.() ?? ''].filter(source => source !== '');
  if (kind === 'sign-in') {
    return [
      "default-src 'none'",
      "img-src 'self' data:",
      "font-src 'self'",
      "base-uri 'none'",
      // Unknown paths below these prefixes are pages of the portal.
      `script-src ${self(heldSubmitSource, ...policy.inline.scripts)}`,
      `style-src ${self(...policy.inline.formStyles, ...brand)}`,
      "connect-src 'self'",
      // Chromium applies form-action to the redirects after the post.
      `form-action ${self(...policy.formTargets)}`,
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ');
  }
  const framed = kind === 'framed';
  const chat = framed ? [] : policy.chat;
  return [
    "default-src 'none'",
    `img-src ${self('data:', ...chat)}`,
    `font-src ${self(...chat)}`,
    "base-uri 'none'",
    `script-src ${self(...policy.inline.scripts, ...chat)}`,
    `style-src ${self(reactAriaStyle, ...policy.inline.styles, ...brand, ...chat)}`,
    `connect-src ${self(...(framed ? [] : policy.connect), ...chat)}`,
    `frame-src ${self(...(framed ? [] : policy.frames), ...chat)}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    `frame-ancestors ${framed ? self(...policy.framedBy) : "'none'"}`,
    "require-trusted-types-for 'script'",
    // `worker` starts the workers of the build (apps/portal/src/pages/voting/worker-call.ts). The default policy is the chat's: it checks the scripts that the widget adds (apps/portal/src/shell/talk/chat.ts).
    `trusted-types ${framed ? "'none'" : chat.length > 0 ? 'worker default' : 'worker'}`,
  ].join('; ');
}
