import { useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { staffQueues } from '@portal/contract/staff/queues';
import { Button, ButtonRow, DateText, Field, Link, TextInput } from '@portal/ui';
import { useState } from 'react';
import styles from './Request.module.css';

/** Parts of the address that are a filter; which request is open, and the page of the list, are not. */
const filters = ['kind', 'status', 'age', 'handler', 'q', 'sort', 'direction'] as const;

/** Saved filters of the queue, one link each, the way to save the present ones, and the open requests of each reviewer. */
export function SavedQueues() {
  const address = useAddress();
  const { notify } = useKit();
  const { queues, workload } = useAnswer(staffQueues.listQueues, {});
  const [name, setName] = useState<string | null>(null);
  const refusal = useRefusal(staffQueues.saveQueue);
  const refresh = [staffQueues.listQueues];
  const save = useChange(staffQueues.saveQueue, {
    showsErrors: true,
    refresh,
    onDone: () => {
      setName(null);
      notify({ text: 'The queue is saved for all registry staff.' });
    },
  });
  const remove = useChange(staffQueues.deleteQueue, { refresh, onDone: () => notify({ text: 'The saved queue is deleted.' }) });
  const present = new URLSearchParams(filters.flatMap(key => (address.get(key) ? [[key, address.get(key)!]] : []))).toString();
  const current = queues.find(({ filter }) => filter === present);
  return (
    <div className={styles.queues}>
      <nav aria-label="Saved queues" className={styles.progress}>
        <span className="strong">Saved queues</span>
        {queues.length === 0 && <span className="quiet">None yet. Set filters and save them under a name.</span>}
        {queues.map(({ queueId, name: of, filter, savedBy }) => (
          <Link
            key={queueId}
            href={`/desk/requests?${filter}`}
            title={`Saved by ${savedBy}`}
            aria-current={filter === present ? 'page' : undefined}
          >
            {of}
          </Link>
        ))}
        {current?.isMine && (
          <Button
            size="s"
            variant="quiet"
            icon="close"
            aria-label={`Delete the saved queue ${current.name}`}
            busy={remove.isPending}
            onClick={() => remove.mutate({ queueId: current.queueId })}
          />
        )}
        {present !== '' && !current && name === null && (
          <Button size="s" refusal={refusal} onClick={() => setName('')}>
            Save this queue
          </Button>
        )}
      </nav>
      {name !== null && (
        <form
          className={styles.saving}
          onSubmit={event => {
            event.preventDefault();
            if (name.trim() !== '') save.mutate({ body: { name, filter: present } });
          }}
        >
          <Field label="Name of the queue" error={save.error?.errors[0]?.message}>
            <TextInput value={name} maxLength={60} autoComplete="off" onChange={event => setName(event.target.value)} />
          </Field>
          <ButtonRow>
            <Button
              type="submit"
              size="s"
              variant="primary"
              busy={save.isPending}
              refusal={name.trim() === '' ? { reason: 'Enter a name' } : null}
            >
              Save
            </Button>
            <Button size="s" onClick={() => setName(null)}>
              Cancel
            </Button>
          </ButtonRow>
        </form>
      )}
      {workload.length > 0 && (
        <ul className={styles.progress} aria-label="Workload">
          {workload.map(({ reviewer, open, waiting, oldest }) => (
            <li key={reviewer ?? ''}>
              <span className="strong">{reviewer ?? 'Not taken yet'}</span>: {open} open, {waiting} waiting for us
              {oldest && (
                <>
                  , oldest from <DateText value={oldest} shape="date" />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
