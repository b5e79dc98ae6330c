import { useAccount } from '@portal/app-kit';
import type { ApiKey } from '@portal/contract/api-keys/api-keys';
import { apiScopes } from '@portal/contract/api-scopes';
import { CopyButton, Segmented, Sheet } from '@portal/ui';
import { useState } from 'react';
import styles from './ApiKeys.module.css';
import { tryingCall } from './trying-call.ts';

const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'script', label: 'fetch' },
] as const;
type Language = (typeof languages)[number]['value'];

/** The call in a language, with the secret in a variable: it is shown once, when it is made. */
const written: Readonly<Record<Language, (address: string) => string>> = {
  curl: address => `curl -H "Authorization: Bearer $REGISTRY_API_KEY" \\\n  "${address}"`,
  script: address =>
    `const answer = await fetch('${address}', {\n  headers: { authorization: \`Bearer \${secret}\` },\n});\nconsole.log(await answer.json());`,
};

/** A call that the chosen key can make and that changes nothing, ready to paste. Nothing for a key that works no longer, or that only changes. */
export function KeyCall({ apiKey }: { apiKey: ApiKey }) {
  const { accountName } = useAccount();
  const [language, setLanguage] = useState<Language>('curl');
  const { base, path, scope } = tryingCall(accountName, apiKey.scopes);
  if (path === undefined || scope === undefined) return null;
  const text = written[language](base + path);
  return (
    <Sheet
      title="As API call"
      meta={`Try ${apiKey.label}; nothing is changed`}
      actions={<CopyButton text={text} label="Copy the call" />}
      footer={
        <span className="small quiet">
          Needs {apiScopes[scope].label} (<span className="mono">{scope}</span>), which {apiKey.label} has. Put its secret into{' '}
          <span className="mono">{language === 'curl' ? 'REGISTRY_API_KEY' : 'secret'}</span>.
        </span>
      }
    >
      <Segmented label="Language" options={languages} value={language} onChange={setLanguage} />
      <pre className={`mono small ${styles.example}`}>{text}</pre>
    </Sheet>
  );
}
