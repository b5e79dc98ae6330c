import {
  addressLinesOf,
  type ApplicationDraft,
  type ApplicationStep,
  applicationSteps,
} from '@portal/contract/applications/application-form';
import type { ApplicationDetail } from '@portal/contract/applications/applications';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import { Button, KeyValueList, Sheet } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './ApplicationWizard.module.css';
import { fieldsOf, questions, type TextField } from './application-questions.ts';
import { capital, membershipWords, wordsOfResources } from './application-words.ts';

type Item = { key: string; value: ReactNode };

const muted = (words: string): ReactNode => <span className="quiet">{words}</span>;

function valueOf(draft: ApplicationDraft, field: TextField): ReactNode {
  const value = draft[field].trim();
  if (value === '') return muted(field === 'billingAddress' ? 'the registered address' : 'not given');
  if (field === 'economy') return economyWords(value);
  if (field === 'organisationType' || field === 'business') return capital(value);
  if (field === 'accountName') return value.toUpperCase();
  if (field === 'postalAddress' || field === 'billingAddress')
    return <span className={styles.lines}>{addressLinesOf(value).join('\n')}</span>;
  return (
    <bdi className={styles.lines} dir="auto">
      {value}
    </bdi>
  );
}

function itemsOf(step: ApplicationStep, draft: ApplicationDraft, applicant: ApplicationDetail['applicant'], papers: ReactNode): Item[] {
  const plain = fieldsOf[step].map((field: TextField) => ({ key: questions[field].label, value: valueOf(draft, field) }));
  const other = (contact: ApplicationDraft['billingContact']): ReactNode =>
    contact.same ? (
      'the corporate contact'
    ) : (
      <bdi>{`${contact.fullName.trim() || 'not given'} (${contact.email.trim() || 'not given'})`}</bdi>
    );
  switch (step) {
    case 'contacts':
      return [
        { key: 'Corporate contact', value: <bdi>{`${applicant.fullName} (${applicant.email})`}</bdi> },
        ...plain,
        { key: 'Billing contact', value: other(draft.billingContact) },
        { key: 'Technical contact', value: other(draft.technicalContact) },
      ];
    case 'membership':
      return [{ key: 'Kind', value: membershipWords[draft.membership].label }, ...plain];
    case 'resources':
      return [{ key: 'Wanted', value: wordsOfResources(draft.resources) }, ...plain];
    case 'documents':
      return [{ key: 'Files', value: papers ?? muted('none') }];
    default:
      return plain;
  }
}

const shown = ['organisation', 'contacts', 'membership', 'resources', 'billing', 'documents'] as const;

/** An application as submitted, a sheet for each step; with `onStep` each can be changed. */
export function ApplicationContent({
  draft,
  applicant,
  papers,
  onStep,
}: {
  draft: ApplicationDraft;
  applicant: ApplicationDetail['applicant'];
  /** The files that go with it; null for none. */
  papers: ReactNode;
  onStep?: (step: ApplicationStep) => void;
}) {
  return shown.map(step => (
    <Sheet
      key={step}
      title={applicationSteps[step]}
      actions={
        onStep && (
          <Button size="s" icon="edit" aria-label={`Change ${applicationSteps[step].toLowerCase()}`} onClick={() => onStep(step)}>
            Change
          </Button>
        )
      }
    >
      <KeyValueList align="left" items={itemsOf(step, draft, applicant, papers)} />
    </Sheet>
  ));
}
