import { useAccount, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { LockWords } from '@portal/app-kit/resources/LockWords';
import { requests } from '@portal/contract/requests/requests';
import { type ResourceLock, resourceLocks } from '@portal/contract/resources/locks';
import { Banner, Button, ButtonRow, Checkbox, FieldGroup, formatCount, Sheet, Stack, StateMark } from '@portal/ui';
import { useState } from 'react';
import styles from './Requests.module.css';

const refresh = [resourceLocks.listLocks, requests.listMovable, requests.getEligibility];
/** Choices shown at most; more are locked together. */
const MAX = 50;

/** The locks of the account: what is locked, who wants one released, and what can be locked. */
export function LocksSheet() {
  const { accountName: account } = useAccount();
  const { rows, delayHours } = useAnswer(resourceLocks.listLocks, { account });
  const movable = useAnswer(requests.listMovable, { account }).rows;
  const free = movable.filter(({ lockable }) => lockable);
  const underWay = movable.flatMap(({ locked }) => locked);
  return (
    <Sheet title="Locks" meta={rows.length === 0 ? 'No locks' : `${formatCount(rows.length)} locked`} flush>
      <p className={`small ${styles.inset}`}>
        A locked resource can’t be transferred or returned, by anyone. RDAP shows it. A release takes two people and {delayHours} hours.
        Routes, ROAs, reverse DNS and whois can be changed as before.
      </p>
      {underWay.length > 0 && (
        <p className={`small ${styles.inset}`}>
          In open requests:{' '}
          {underWay
            .slice(0, MAX)
            .map(({ resource, reference }) => `${resource} in ${reference}`)
            .join(', ')}
          {underWay.length > MAX && ` and ${formatCount(underWay.length - MAX)} more`}. From the other party’s acknowledgement until the
          decision, objects over them can’t be changed.
        </p>
      )}
      {rows.length > 0 && (
        <ul className={styles.list}>
          {rows.map(row => (
            <Lock key={row.lockId} row={row} />
          ))}
        </ul>
      )}
      {free.length > 0 && <Add free={free.map(({ resource }) => resource)} />}
    </Sheet>
  );
}

function Lock({ row }: { row: ResourceLock }) {
  const { lockId, resource, release } = row;
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [asks, setAsks] = useState(false);
  const done = (text: string) => ({
    refresh,
    onDone: () => {
      setAsks(false);
      notify({ text });
    },
  });
  const request = useChange(resourceLocks.requestRelease, done(`Someone else has to confirm the release of ${resource} now.`));
  const confirm = useChange(resourceLocks.confirmRelease, done(`The release of ${resource} is confirmed.`));
  const keep = useChange(resourceLocks.cancelRelease, done(`${resource} stays locked.`));
  const refusal = useRefusal(resourceLocks.requestRelease);
  const input = { account, lockId };
  return (
    <li className={styles.wrapping}>
      <div className={styles.lock}>
        <LockWords row={row} unconfirmed="Someone else has to confirm it." />
        {asks && !release && (
          <Banner
            kind="warning"
            actions={
              <ButtonRow>
                <Button variant="danger" size="s" busy={request.isPending} onClick={() => request.mutate(input)}>
                  Request release
                </Button>
                <Button size="s" onClick={() => setAsks(false)}>
                  Keep lock
                </Button>
              </ButtonRow>
            }
          >
            All corporate contacts get an e-mail. Another contact has to confirm the release; registry staff can, if there is no other.
          </Banner>
        )}
      </div>
      <ButtonRow>
        <StateMark state={release ? 'pending' : 'valid'}>{release ? 'Release requested' : 'Locked'}</StateMark>
        {!release && !asks && (
          <Button size="s" refusal={refusal} aria-label={`Release ${resource}`} onClick={() => setAsks(true)}>
            Release
          </Button>
        )}
        {release && release.confirmedBy === null && (
          <Button
            size="s"
            busy={confirm.isPending}
            refusal={refusal ?? (release.isMine ? { reason: 'You asked for it, so another contact has to confirm' } : null)}
            onClick={() => confirm.mutate(input)}
          >
            Confirm release
          </Button>
        )}
        {release && (
          <Button size="s" busy={keep.isPending} refusal={refusal} onClick={() => keep.mutate(input)}>
            Keep lock
          </Button>
        )}
      </ButtonRow>
    </li>
  );
}

function Add({ free }: { free: readonly string[] }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const refusal = useRefusal(resourceLocks.addLocks);
  const add = useChange(resourceLocks.addLocks, {
    refresh,
    showsErrors: true,
    onDone: () => {
      form.reset();
      notify({ text: 'Locked.' });
    },
  });
  const form = useForm(
    resourceLocks.addLocks.body,
    { resources: [] as readonly string[] },
    {
      name: 'locks',
      change: add,
      send: body => add.mutate({ account, body }),
    },
  );
  const { resources: chosen } = form.values;
  const choice = form.field('resources');
  const shown = free.slice(0, MAX);
  return (
    <div className={styles.inset}>
      <Form form={form} label="Lock more" bare>
        <Stack gap={8}>
          <FormProblems form={form} />
          <FieldGroup legend="Lock more" error={choice.error}>
            <div className={styles.plan}>
              {shown.map((resource, place) => (
                <Checkbox
                  key={resource}
                  {...(place === 0 && { id: choice.id })}
                  checked={chosen.includes(resource)}
                  onChange={({ target }) =>
                    form.set({ resources: target.checked ? [...chosen, resource] : chosen.filter(each => each !== resource) })
                  }
                >
                  <span className="mono">{resource}</span>
                </Checkbox>
              ))}
            </div>
          </FieldGroup>
          <ButtonRow>
            <Button type="submit" busy={form.busy} refusal={refusal}>
              Lock
            </Button>
            {free.length > 1 && (
              <Button busy={form.busy} refusal={refusal} onClick={() => add.mutate({ account, body: { resources: free.slice(0, 500) } })}>
                {free.length > 500 ? 'Lock the first 500' : `Lock all ${formatCount(free.length)}`}
              </Button>
            )}
          </ButtonRow>
        </Stack>
      </Form>
    </div>
  );
}
