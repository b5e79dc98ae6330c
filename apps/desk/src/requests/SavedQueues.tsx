import { useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { staffQueues } from '@portal/contract/staff/queues';
import { Button, ButtonRow, DateText, Field, Link, TextInput } from '@portal/ui';
import { useState } from 'react';
import { filterSearch } from '../shell/queue-search.ts';
import styles from './Request.module.css';

/** Saved filters of the queue, one link each, the way to save the present ones, and the open requests of each reviewer. */
export function SavedQueues() {
  const address = useAddress();
  const { notify } = useKit();
  const { queues, workload } = useAnswer(staffQueues.listQueues, {});
  const [isNaming, setNaming] = useState(false);
  const refusal = useRefusal(staffQueues.saveQueue);
  const refresh = [staffQueues.listQueues];
  const save = useChange(staffQueues.saveQueue, {
    showsErrors: true,
    refresh,
    onDone: () => {
      close();
      notify({ text: 'The queue is saved for all registry staff.' });
    },
  });
  const remove = useChange(staffQueues.deleteQueue, { refresh, onDone: () => notify({ text: 'The saved queue is deleted.' }) });
  const present = filterSearch(address.get).slice(1);
  const form = useForm(
    staffQueues.saveQueue.body,
    { name: '' },
    {
      name: 'queue',
      toBody: ({ name }) => ({ name, filter: present }),
      ifEmpty: { name: 'Enter a name' },
      change: save,
      send: body => save.mutate({ body }),
    },
  );
  const close = () => {
    setNaming(false);
    form.reset();
  };
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
        {present !== '' && !current && !isNaming && (
          <Button size="s" refusal={refusal} onClick={() => setNaming(true)}>
            Save this queue
          </Button>
        )}
      </nav>
      {isNaming && (
        <Form form={form} label="Save this queue" bare onClose={close}>
          <FormProblems form={form} />
          <div className={styles.saving}>
            <Field label="Name of the queue" {...form.field('name')}>
              <TextInput {...form.input('name')} />
            </Field>
            <ButtonRow>
              <Button type="submit" size="s" variant="primary" busy={form.busy}>
                Save
              </Button>
              <Button size="s" onClick={close}>
                Cancel
              </Button>
            </ButtonRow>
          </div>
        </Form>
      )}
      {workload.length > 0 && (
        <ul className={styles.progress} aria-label="Workload">
          {workload.map(({ reviewer, open, waiting, oldest }) => (
            <li key={reviewer ?? ''}>
              <span className="strong">{reviewer ?? 'Unassigned'}</span>:{' '}
              {reviewer === null ? open : `${open} open, ${waiting} waiting for us`}
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
