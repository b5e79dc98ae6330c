import { FailureBanner, useAnswer, useChange, useRefusal } from '@portal/app-kit';
import { type ErasedKind, type Erasure, privacy } from '@portal/contract/privacy/privacy';
import { Button, ButtonRow, DateText, EmptyState, formatCount, Link, Sheet, Stack, StateMark } from '@portal/ui';
import { useState } from 'react';
import { EraseDialog, FileDialog, RefuseDialog } from './ErasureDialogs.tsx';
import styles from './Privacy.module.css';

/** Requests of people to be erased, with what has to be settled before: read with a press, for each look is logged. */
export function Erasures() {
  const { open, ended, kinds, waitDays } = useAnswer(privacy.countErasures, {});
  const refusal = useRefusal(privacy.fileErasure);
  const [filing, setFiling] = useState(false);
  const look = useChange(privacy.listErasures, { showsErrors: true });
  const again = () => look.mutate({});
  return (
    <Sheet
      flush={look.data !== undefined}
      title="Erasure requests"
      meta={open > 0 && `${formatCount(open)} open`}
      actions={
        <Button size="s" refusal={refusal} refusalIn="note" onClick={() => setFiling(true)}>
          File a request
        </Button>
      }
      footer={
        <details className={styles.fates}>
          <summary>What an erasure deletes and keeps</summary>
          <Fates kinds={kinds} />
        </details>
      }
    >
      <FailureBanner failure={look.error} />
      {look.data ? (
        <Listed open={look.data.open} ended={look.data.ended} openCount={open} onChanged={again} />
      ) : open + ended === 0 ? (
        <EmptyState title="No erasure requests" picture={false}>
          People ask in “Your login”. File a request for a person who can’t sign in, once they are identified.
        </EmptyState>
      ) : (
        <Stack gap={12}>
          <p className="quiet">
            {open === 0 ? 'No request is open' : open === 1 ? 'One request is open' : `${formatCount(open)} requests are open`}
            {ended > 0 && `, ${formatCount(ended)} ended`}. Each look at whose they are is logged as access to personal data.
          </p>
          <div>
            <Button busy={look.isPending} onClick={again}>
              Show the requests
            </Button>
          </div>
        </Stack>
      )}
      {filing && <FileDialog waitDays={waitDays} onClose={() => setFiling(false)} onDone={again} />}
    </Sheet>
  );
}

type ListedProps = { open: readonly Erasure[]; ended: readonly Erasure[]; openCount: number; onChanged: () => void };

const Listed = ({ open, ended, openCount, onChanged }: ListedProps) => (
  <ul className={styles.holds} aria-label="Erasure requests">
    {open.map(erasure => (
      <Open key={erasure.erasureId} erasure={erasure} onChanged={onChanged} />
    ))}
    {openCount > open.length && <li className="quiet">{formatCount(openCount - open.length)} more are listed once the first are done.</li>}
    {ended.map(erasure => (
      <Ended key={erasure.erasureId} erasure={erasure} />
    ))}
  </ul>
);

function Who({ erasure: { erasureId, username, fullName, filedBy, requestedAt, reason } }: { erasure: Erasure }) {
  return (
    <>
      <p>
        <span className="quiet">No. {erasureId}</span> <b className="strong">{username}</b> <bdi>{fullName}</bdi>
      </p>
      {reason !== '' && (
        <p>
          <bdi>{reason}</bdi>
        </p>
      )}
      <p className="quiet small">
        {filedBy === null ? 'Requested by the person' : <>Filed by {<bdi>{filedBy}</bdi>}</>}, <DateText value={requestedAt} shape="date" />
      </p>
    </>
  );
}

function Open({ erasure, onChanged }: { erasure: Erasure; onChanged: () => void }) {
  const { erasureId, dueAt, obstacles, warnings } = erasure;
  const refusals = { erase: useRefusal(privacy.erasePerson), refuse: useRefusal(privacy.refuseErasure) };
  const [act, setAct] = useState<'erase' | 'refuse' | null>(null);
  const close = () => setAct(null);
  const [openedAt] = useState(() => Date.now());
  const waits = Date.parse(dueAt) > openedAt;
  return (
    <li className={styles.hold}>
      <div className={styles.about}>
        <Who erasure={erasure} />
        {waits && (
          <p className="small">
            Can be carried out from <DateText value={dueAt} />
          </p>
        )}
        {obstacles.length > 0 && (
          <ul className={styles.obstacles} aria-label={`To settle before request ${erasureId}`}>
            {obstacles.map(({ what, remedy, path }) => (
              <li key={what}>
                {path === null ? what : <Link href={path}>{what}</Link>} <span className="quiet">{remedy}</span>
              </li>
            ))}
          </ul>
        )}
        {warnings.length > 0 && (
          <ul className={styles.obstacles} aria-label={`To know before request ${erasureId}`}>
            {warnings.map(({ what, path }) => (
              <li key={what}>
                <Link href={path}>{what}</Link>
              </li>
            ))}
          </ul>
        )}
      </div>
      <ButtonRow>
        <Button
          size="s"
          refusal={refusals.refuse}
          refusalIn="note"
          aria-label={`Refuse request ${erasureId}`}
          onClick={() => setAct('refuse')}
        >
          Refuse
        </Button>
        {!waits && obstacles.length === 0 && (
          <Button
            size="s"
            variant="danger"
            refusal={refusals.erase}
            refusalIn="note"
            aria-label={`Erase the person of request ${erasureId}`}
            onClick={() => setAct('erase')}
          >
            Erase
          </Button>
        )}
      </ButtonRow>
      {act === 'erase' && <EraseDialog erasure={erasure} onClose={close} onDone={onChanged} />}
      {act === 'refuse' && <RefuseDialog erasure={erasure} onClose={close} onDone={onChanged} />}
    </li>
  );
}

const states = {
  requested: ['open', 'info'],
  withdrawn: ['taken back', 'closed'],
  refused: ['refused', 'invalid'],
  erased: ['erased', 'valid'],
} as const;

function Ended({ erasure }: { erasure: Erasure }) {
  const { state, endedAt, endedBy, endedWith, note } = erasure;
  const [word, mark] = states[state];
  return (
    <li className={styles.hold}>
      <div className={styles.about}>
        <Who erasure={erasure} />
        {note !== '' && (
          <p>
            <bdi>{note}</bdi>
          </p>
        )}
        {endedAt !== null && (
          <p className="quiet small">
            Ended{endedBy !== null && state !== 'withdrawn' && <> by {<bdi>{endedBy}</bdi>}</>}
            {endedWith !== null && <> and {<bdi>{endedWith}</bdi>}</>}, <DateText value={endedAt} shape="date" />
          </p>
        )}
      </div>
      <StateMark state={mark}>{word}</StateMark>
    </li>
  );
}

const titles = { deleted: 'Deleted', replaced: 'Replaced with “Erased person”', kept: 'Kept' } as const;

/** Fate of each kind of data in an erasure. */
const Fates = ({ kinds }: { kinds: readonly ErasedKind[] }) => (
  <div>
    {(['deleted', 'replaced', 'kept'] as const).map(fate => (
      <section key={fate} aria-label={titles[fate]}>
        <h3>{titles[fate]}</h3>
        <ul>
          {kinds
            .filter(kind => kind.fate === fate)
            .map(({ data, until }) => (
              <li key={data}>
                {data}
                {until !== null && <span className="quiet">{until}</span>}
              </li>
            ))}
        </ul>
      </section>
    ))}
  </div>
);
