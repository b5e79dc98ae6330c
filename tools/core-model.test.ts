import { expect, test } from 'vitest';
import { coreModelFindings } from './core-model.ts';

const tables = `# Tables

## account

| column | type | required | default | references |
| --- | --- | --- | --- | --- |
| \`account_name\` | text | yes |  |  |

## contact

| column | type | required | default | references |
| --- | --- | --- | --- | --- |
| \`account_name\` | text | yes |  | [account](#account) |
| \`login_id\` | text |  |  | [login](#login) |

## login
`;
const drawn = (...lines: string[]) =>
  coreModelFindings(`\`\`\`mermaid\nerDiagram\n${lines.map(line => `  ${line}\n`).join('')}\`\`\``, tables);

test('the core model draws tables and references that the database has', () => {
  expect(drawn('account ||--o{ contact : "account_name"', 'login |o--o{ contact : "login_id"', 'login')).toEqual([]);
  expect(drawn('session')).toEqual(['docs/core-model.md draws session, which is no table']);
  expect(drawn('login ||--o{ account : "login_id"')).toEqual([
    'docs/core-model.md draws a reference of account.login_id to login, which the database does not have',
  ]);
  expect(drawn('login ||--o{ contact : "login_id"')).toEqual(['docs/core-model.md: contact.login_id is optional: draw |o']);
  expect(drawn('account |o--o{ contact : "account_name"')).toEqual(['docs/core-model.md: contact.account_name is required: draw ||']);
  expect(drawn('account -> contact').join()).toContain('has a line that is not');
});
