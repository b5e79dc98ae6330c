import type { ServerResponse } from 'node:http';

/** Kinds of answers, each with the smallest content security policy it works with (domain/identity.md section 8). */
export type PageKind = 'data' | 'shell' | 'framed' | 'sign-in' | 'asset';

export type HeaderPolicy = {
  /** Origins foreign features need, only when configured (S16). */
  connect: readonly string[];
  frames: readonly string[];
  scripts: readonly string[];
  /** Hashes of the inline style sheets of our own built pages. */
  styleHashes: readonly string[];
  /** Origins a sign-in form may be redirected to. */
  formTargets: readonly string[];
  https: boolean;
};

/** React Aria injects one style rule of its own; a browser test notices when an upgrade changes it (design/stack.md 3.5). */
const reactAriaStyle = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='";

/** Sets the headers every answer carries, error answers and `/oidc` included. Later code may replace the policy with a stricter one. */
export function setSecurityHeaders(response: ServerResponse, kind: PageKind, policy: HeaderPolicy): void {
  response.setHeader('content-security-policy', contentSecurityPolicy(kind, policy));
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  if (kind === 'data' || kind === 'sign-in') response.setHeader('cache-control', 'no-store');
  if (policy.https) response.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains');
}

function contentSecurityPolicy(kind: PageKind, policy: HeaderPolicy): string {
  const self = (...more: readonly string[]) => ["'self'", ...more].join(' ');
  if (kind === 'data' || kind === 'asset') return "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
  const common = ["default-src 'none'", "img-src 'self' data:", "font-src 'self'", "base-uri 'none'"];
  if (kind === 'sign-in') {
    return [
      ...common,
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      // Chromium applies form-action to the redirects after the post.
      `form-action ${self(...policy.formTargets)}`,
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ');
  }
  const framed = kind === 'framed';
  return [
    ...common,
    `script-src ${self(...(framed ? [] : policy.scripts))}`,
    `style-src ${self(reactAriaStyle, ...policy.styleHashes)}`,
    `connect-src ${self(...(framed ? [] : policy.connect))}`,
    `frame-src ${self(...(framed ? [] : policy.frames))}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
    "require-trusted-types-for 'script'",
    'trusted-types portal-html portal-script',
  ].join('; ');
}
