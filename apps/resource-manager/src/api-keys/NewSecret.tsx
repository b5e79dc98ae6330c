import { useAccount } from '@portal/app-kit';
import type { ApiKey } from '@portal/contract/api-keys/api-keys';
import type { ApiScope } from '@portal/contract/api-scopes';
import { CopyButton } from '@portal/ui';
import { SecretOnce } from '../shell/SecretOnce.tsx';
import styles from './ApiKeys.module.css';

/** A call for each scope that reads, with which a new key can be tried without changing anything. */
const tries: readonly (readonly [ApiScope, string])[] = [
  ['resources:read', '/resources/summary'],
  ['tasks:read', '/tasks'],
  ['whois:read', '/whois/objects'],
  ['reverse-dns:read', '/reverse-dns/zones'],
  ['routes:read', '/routes'],
  ['billing:read', '/invoices'],
  ['tickets:read', '/tickets'],
  ['account:read', '/organisation'],
  ['customers:read', '/customers'],
  ['requests:read', '/requests'],
  ['activity:read', '/activity'],
];

/** The secret of a key that was just made, with a call to try it. */
export function NewSecret({ apiKey, secret }: { apiKey: ApiKey; secret: string | null }) {
  const { accountName } = useAccount();
  const base = `${window.location.origin}/registry-api/v1/${accountName}`;
  const call = tries.find(([scope]) => apiKey.scopes.includes(scope))?.[1];
  const curlWith = (bearer: string): string => `curl -H "Authorization: Bearer ${bearer}" \\\n  "${base}${call}"`;
  return (
    <SecretOnce label={apiKey.label} rotates="the key" secret={secret} about="It is shown this once and can’t be recovered.">
      {call === undefined ? (
        <p className="small">This key can only make changes, so there is no call to try it with that changes nothing.</p>
      ) : (
        <>
          <div className={styles.exampleHead}>
            <span>Try it, ready to paste:</span>
            {secret !== null && <CopyButton text={curlWith(secret)} label="Copy the call" />}
          </div>
          {/* No picture of the page is kept. */}
          <pre className={`mono small ${styles.example}`} data-shown-once="">
            {curlWith(secret ?? '$KEY')}
          </pre>
        </>
      )}
      <p className="small quiet">
        The base address of the API is <span className="mono">{base}</span>.
      </p>
    </SecretOnce>
  );
}
