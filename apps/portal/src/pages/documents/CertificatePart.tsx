import { useAccount, useRefusal } from '@portal/app-kit';
import { useOpenFile } from '@portal/app-kit/documents/open-file';
import { documents } from '@portal/contract/documents/documents';
import { Button, CopyButton, Link, Mono, Row, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import styles from './DocumentsPage.module.css';

/** A certificate of membership, as of now. */
export function CertificatePart() {
  const { accountName: account, accountStatus } = useAccount();
  const refusal = useRefusal(documents.issueCertificate);
  const { opening, open } = useOpenFile(documents.issueCertificate);
  const [code, setCode] = useState<string | null>(null);
  const why = accountStatus === 'open' ? null : { reason: `${account} is ${accountStatus}: there is no membership to certify` };
  const issue = async () => {
    const issued = (await open({ account })) as { code: string } | null;
    if (issued) setCode(issued.code);
  };
  return (
    <Sheet
      title="Certificate of membership"
      actions={
        <Button size="s" icon="download" busy={opening} refusal={refusal ?? why} refusalIn="note" onClick={() => void issue()}>
          Get a certificate
        </Button>
      }
    >
      <Stack gap={8}>
        <p className="small muted">
          A PDF with the organisation, the account and the membership dates. Anyone can check its code at{' '}
          <Link href="/certificates">/certificates</Link>.
        </p>
        {code !== null && (
          <output>
            <Row gap={8}>
              <span className="small">Saved. Code:</span>
              <Mono>
                <span className={styles.code}>{code}</span>
              </Mono>
              <CopyButton text={code} label="Copy the code" />
            </Row>
          </output>
        )}
      </Stack>
    </Sheet>
  );
}
