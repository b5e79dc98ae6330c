import { reading, useAccount, useKit } from '@portal/app-kit';
import { type WhoisConsent, whoisConsents } from '@portal/contract/whois/consents';
import { Disclosure, Sheet } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AnswerConsent, ConsentRequest, ConsentState, WithdrawConsent } from '../../shell/ConsentParts.tsx';
import { ObjectText } from '../text/ObjectText.tsx';
import { changedReads } from '../text/changed-reads.ts';
import styles from './Consents.module.css';

/** Updates that wait for consent: those the account can answer, and those it sent. Renders nothing without any. */
export function Consents() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data } = useQuery(reading(call, whoisConsents.listConsents, { account }));
  if (!data) return null;
  return (
    <>
      {data.toAnswer.length > 0 && (
        <Sheet title="Waiting for your consent" meta="Without an answer, nothing changes" flush>
          <ul className={styles.list} aria-label="Waiting for your consent">
            {data.toAnswer.map(each => (
              <Asked key={each.consentId} consent={each} />
            ))}
          </ul>
        </Sheet>
      )}
      {data.asked.length > 0 && (
        <Sheet title="Consent you requested" flush>
          <ul className={styles.list} aria-label="Consent you requested">
            {data.asked.map(each => (
              <Own key={each.consentId} consent={each} />
            ))}
          </ul>
        </Sheet>
      )}
    </>
  );
}

function Asked({ consent }: { consent: WhoisConsent }) {
  return (
    <li className={styles.consent}>
      <Named consent={consent}>
        <ConsentRequest consent={consent} />
      </Named>
      <AnswerConsent consent={consent} refresh={changedReads} />
    </li>
  );
}

function Own({ consent }: { consent: WhoisConsent }) {
  return (
    <li className={styles.consent}>
      <Named consent={consent}>
        <ConsentState consent={consent} />
      </Named>
      <WithdrawConsent consent={consent} refresh={[]} />
    </li>
  );
}

function Named({ consent: { objects, text }, children }: { consent: WhoisConsent; children: ReactNode }) {
  const title = objects.length === 1 ? objects[0]!.replace(/(\/\d{1,3})(AS\d+)$/, '$1 $2') : `${objects.length} objects`;
  return (
    <div className={styles.named}>
      <p className="mono strong">{title}</p>
      {children}
      <Disclosure summary="Pending changes">
        <ObjectText text={text.trimEnd()} label={`Text of ${title}`} />
      </Disclosure>
    </div>
  );
}
