import { reading, useAccount, useKit, useRefusal } from '@portal/app-kit';
import { type WhoisConsent, whoisConsents } from '@portal/contract/whois/consents';
import { Disclosure, EmptyState, Sheet } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { AnswerConsent, ConsentRequest, ConsentState, WithdrawConsent } from '../../shell/ConsentParts.tsx';
import { routeReads } from './ChangeReview.tsx';
import styles from './Routes.module.css';

const isOfRoutes = ({ objects }: WhoisConsent): boolean => objects.every(name => /^route6? /.test(name));

/** Requests for consent to routes: those the account can answer, and those it sent. */
export function RouteConsents() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  // Registry staff see an account without them.
  const refusal = useRefusal(whoisConsents.listConsents);
  const { data } = useQuery({ ...reading(call, whoisConsents.listConsents, { account }), enabled: refusal === null });
  if (!data) return null;
  const [toAnswer, asked] = [data.toAnswer.filter(isOfRoutes), data.asked.filter(isOfRoutes)];
  return (
    <>
      <Sheet title="For your approval" meta="Without an answer, nothing changes" flush>
        {toAnswer.length === 0 ? (
          <EmptyState title="No open requests">Requests of other members for routes from your AS numbers appear here.</EmptyState>
        ) : (
          <ul className={`${styles.list} ${styles.flush}`} aria-label="For your approval">
            {toAnswer.map(each => (
              <Asked key={each.consentId} consent={each} />
            ))}
          </ul>
        )}
      </Sheet>
      {asked.length > 0 && (
        <Sheet title="Sent by you" flush>
          <ul className={`${styles.list} ${styles.flush}`} aria-label="Sent by you">
            {asked.map(each => (
              <Own key={each.consentId} consent={each} />
            ))}
          </ul>
        </Sheet>
      )}
    </>
  );
}

/** `route 198.18.24.0/24AS64501`, the key of the object, as people read it. */
const readable = (name: string): string => name.replace(/(\/\d+)(AS\d+)$/, '$1 $2');

const Names = ({ consent: { objects, text } }: { consent: WhoisConsent }) => (
  <Disclosure
    summary={
      <span className="mono">
        {objects.length === 1 ? readable(objects[0]!) : `${readable(objects[0]!)} and ${objects.length - 1} more`}
      </span>
    }
  >
    <pre className={styles.object}>{text}</pre>
  </Disclosure>
);

function Asked({ consent }: { consent: WhoisConsent }) {
  return (
    <li>
      <div className={styles.grow}>
        <Names consent={consent} />
        <ConsentRequest consent={consent} />
      </div>
      <AnswerConsent consent={consent} refresh={routeReads} />
    </li>
  );
}

function Own({ consent }: { consent: WhoisConsent }) {
  return (
    <li>
      <div className={styles.grow}>
        <Names consent={consent} />
        <ConsentState consent={consent} />
      </div>
      <WithdrawConsent consent={consent} refresh={routeReads} />
    </li>
  );
}
