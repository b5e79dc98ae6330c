import { useAccount } from '@portal/app-kit';
import type { ApiKey } from '@portal/contract/api-keys/api-keys';
import { Banner, CopyButton, Stack } from '@portal/ui';
import styles from './ApiKeys.module.css';

/** The secret of a key that was just made: it is shown once. */
export function NewSecret({ apiKey, secret }: { apiKey: ApiKey; secret: string | null }) {
  const { accountName } = useAccount();
  if (secret === null)
    return (
      <Banner kind="warning" title="The secret was already shown.">
        {apiKey.label} exists, but its secret can’t be shown again. If you don’t have it, rotate the key.
      </Banner>
    );
  const origin = window.location.origin;
  return (
    <Stack gap={12}>
      <Banner kind="warning" title="Store the secret now.">
        It is shown this once and can’t be recovered.
      </Banner>
      <div className={styles.secret}>
        <code className="mono">{secret}</code>
        <CopyButton text={secret} label="Copy secret" />
      </div>
      {apiKey.scopes.includes('resources:read') && (
        <>
          <p>Try it:</p>
          <pre className={`mono small ${styles.example}`}>
            {`curl -H "Authorization: Bearer $KEY" \\\n  ${origin}/registry-api/v1/${accountName}/resources/summary`}
          </pre>
        </>
      )}
    </Stack>
  );
}
