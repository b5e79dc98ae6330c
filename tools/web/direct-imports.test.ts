import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { exportsOf, withDirectImports } from './direct-imports.ts';

const parse = (code: string): unknown => parseSync('code.tsx', code).program;
const list = exportsOf(
  "export { Badge, type BadgeKind } from './text/Badge.tsx';\nexport { type Client, call as make } from '@portal/api-client';",
  '/ui',
  parse,
);
const direct = (code: string): string => withDirectImports(code, source => (source === '@portal/ui' ? list : undefined), parse);

test('a name of a list of parts is imported from the part’s own file, under its own name', () => {
  expect(direct("import { Badge, make as created } from '@portal/ui';")).toBe(
    'import { Badge as Badge } from "/ui/text/Badge.tsx"; import { call as created } from "@portal/api-client";',
  );
});

test('types are left out, and lines stay where they were', () => {
  const text = direct("import {\n  type BadgeKind,\n  Badge,\n} from '@portal/ui';\nimport type { Client } from '@portal/ui';\nlast();");
  expect(text.split('\n')).toHaveLength(6);
  expect(text.split('\n')[0]).toBe('import { Badge as Badge } from "/ui/text/Badge.tsx";');
  expect(text).not.toContain('BadgeKind');
});

test('other imports are left as they are', () => {
  const code = "import { Dialog } from '@portal/ui/overlay/Dialog';";
  expect(direct(code)).toBe(code);
});
