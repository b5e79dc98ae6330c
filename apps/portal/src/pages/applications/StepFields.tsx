import { reading, useKit } from '@portal/app-kit';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import type { Uploads } from '@portal/app-kit/documents/uploads';
import {
  type ApplicationDraft,
  type ApplicationProblem,
  type ApplicationStep,
  membershipKinds,
} from '@portal/contract/applications/application-form';
import { type ApplicationDetail, applications, type ApplicationTerms } from '@portal/contract/applications/applications';
import { resourceKinds } from '@portal/contract/resources/resource-kinds';
import { Banner, Button, Checkbox, Field, FieldGroup, KeyValueList, Link, Section, Select, Stack, TextArea, TextInput } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import styles from './ApplicationWizard.module.css';
import { fieldId, fieldsOf, isWebmail, type Question, questions, type TextField } from './application-questions.ts';
import { capital, membershipWords, resourceWords } from './application-words.ts';

export type StepProps = {
  step: ApplicationStep;
  application: ApplicationDetail;
  draft: ApplicationDraft;
  terms: ApplicationTerms;
  uploads: Uploads;
  problems: readonly ApplicationProblem[];
  /** Whoever tried to go on sees everything that is wrong; before, only what was left behind wrong. */
  tried: boolean;
  onEdit: (part: Partial<ApplicationDraft>) => void;
};

/** The questions of one step. */
export function StepFields(props: StepProps) {
  const { step, draft, problems, tried, onEdit } = props;
  const [touched, setTouched] = useState<readonly string[]>([]);
  const problemAt = (field: string): string | undefined =>
    tried || touched.includes(field) ? problems.find(problem => problem.field === field)?.message : undefined;
  const leave = (field: string) => setTouched(before => [...before, field]);
  const plain = fieldsOf[step].filter(field => field !== 'accountName');
  const textFields = (fields: readonly TextField[]) =>
    fields.map(field => (
      <PlainField
        key={field}
        {...props}
        field={field}
        error={problemAt(field)}
        onLeave={() => {
          if (draft[field] !== '') leave(field);
        }}
      />
    ));
  switch (step) {
    case 'contacts':
      return <ContactFields {...props} problemAt={problemAt} leave={leave} plain={textFields(plain)} />;
    case 'membership':
      return <MembershipFields {...props} error={problemAt('accountName')} />;
    case 'resources':
      return (
        <>
          <FieldGroup
            legend="What the organisation wants"
            help="None is possible too: membership does not depend on resources. Each request is judged by the policies."
          >
            {resourceKinds.map(kind => (
              <Checkbox
                key={kind}
                checked={draft.resources.includes(kind)}
                onChange={event =>
                  onEdit({
                    resources: resourceKinds.filter(each => (each === kind ? event.target.checked : draft.resources.includes(each))),
                  })
                }
              >
                {resourceWords[kind]}
              </Checkbox>
            ))}
          </FieldGroup>
          {textFields(plain)}
        </>
      );
    case 'documents':
      return (
        <div id={fieldId('documents')} tabIndex={-1}>
          <UploadField
            label="Certificate of incorporation, and whatever else proves it"
            uploads={props.uploads}
            error={problemAt('documents')}
          />
        </div>
      );
    default:
      return <>{textFields(plain)}</>;
  }
}

function PlainField({
  field,
  draft,
  terms,
  error,
  onEdit,
  onLeave,
}: StepProps & { field: TextField; error: string | undefined; onLeave: () => void }) {
  const question: Question = questions[field];
  const value = draft[field];
  const set = (text: string) => onEdit({ [field]: text });
  const common = { value, maxLength: question.most, onBlur: onLeave, autoComplete: 'off' };
  const national = field === 'economy' ? terms.nationalRegistries.find(({ economy }) => economy === value) : undefined;
  return (
    <>
      <Field id={fieldId(field)} label={question.label} help={question.help} error={error} optional={question.optional ?? false}>
        {field === 'economy' ? (
          <Select value={value} onChange={event => set(event.target.value)} options={economyOptions(terms.economies)} />
        ) : question.options ? (
          <Select
            value={value}
            onChange={event => set(event.target.value)}
            options={[{ value: '', label: 'Choose' }, ...question.options.map(option => ({ value: option, label: capital(option) }))]}
          />
        ) : question.type === 'lines' || question.type === 'words' ? (
          <TextArea {...common} rows={question.type === 'words' ? 6 : 3} dir="auto" onChange={event => set(event.target.value)} />
        ) : (
          <TextInput {...common} type={question.type ?? 'text'} dir="auto" onChange={event => set(event.target.value)} />
        )}
      </Field>
      {national && (
        <Banner kind="info" title={`${economyWords(value)} has a registry of its own.`}>
          Most organisations there become members of <Link href={national.url}>{national.name}</Link>. You can go on here all the same.
        </Banner>
      )}
    </>
  );
}

/** By name, after one that asks. */
export function economyOptions(economies: readonly string[]): { value: string; label: string }[] {
  const named = economies.map(economy => ({ value: economy, label: economyWords(economy) }));
  return [{ value: '', label: 'Choose' }, ...named.sort((a, b) => a.label.localeCompare(b.label, 'en'))];
}

type ContactProps = StepProps & {
  problemAt: (field: string) => string | undefined;
  leave: (field: string) => void;
};

function ContactFields({ plain, ...props }: ContactProps & { plain: React.ReactNode }) {
  const { fullName, email } = props.application.applicant;
  return (
    <>
      <Section
        level={3}
        title="Corporate contact"
        words="You, with this login: you speak for the organisation, and hold every permission in its account."
      >
        <Stack gap={16}>
          <KeyValueList
            align="left"
            items={[
              { key: 'Name', value: <bdi>{fullName}</bdi> },
              { key: 'E-mail', value: email },
            ]}
          />
          {isWebmail(email) && (
            <Banner kind="warning" title={`${email} is a webmail address.`}>
              The registry advises an address of the organisation: whoever gets into the mailbox can act for it.
            </Banner>
          )}
          {plain}
        </Stack>
      </Section>
      <OtherContact {...props} which="billingContact" title="Billing contact" words="Gets invoices and reminders." />
      <OtherContact {...props} which="technicalContact" title="Technical contact" words="Looks after resources, reverse DNS and routing." />
    </>
  );
}

function OtherContact({
  which,
  title,
  words,
  draft,
  problemAt,
  leave,
  onEdit,
}: ContactProps & { which: 'billingContact' | 'technicalContact'; title: string; words: string }) {
  const contact = draft[which];
  const set = (part: Partial<typeof contact>) => onEdit({ [which]: { ...contact, ...part } });
  const field = (name: 'fullName' | 'email' | 'emailAgain' | 'phone', label: string, type: 'text' | 'email' | 'tel', optional = false) => (
    <Field id={fieldId(`${which}.${name}`)} label={label} error={problemAt(`${which}.${name}`)} optional={optional}>
      <TextInput
        type={type}
        dir="auto"
        autoComplete="off"
        value={contact[name]}
        maxLength={name === 'fullName' ? 200 : name === 'phone' ? 40 : 254}
        onChange={event => set({ [name]: event.target.value })}
        onBlur={() => contact[name] !== '' && leave(`${which}.${name}`)}
      />
    </Field>
  );
  return (
    <Section level={3} title={title} words={words}>
      <Stack gap={16}>
        <Checkbox checked={contact.same} onChange={event => set({ same: event.target.checked })}>
          That is me too
        </Checkbox>
        {!contact.same && (
          <div className={styles.contact}>
            {field('fullName', 'Full name', 'text')}
            {field('email', 'E-mail', 'email')}
            {field('emailAgain', 'E-mail again', 'email')}
            {field('phone', 'Telephone', 'tel', true)}
            <p className="small muted">They are invited when the application is approved.</p>
          </div>
        )}
      </Stack>
    </Section>
  );
}

function MembershipFields({ application, draft, error, onEdit }: StepProps & { error: string | undefined }) {
  const { call } = useKit();
  const { applicationId } = application;
  const [asked, setAsked] = useState(draft.accountName.trim().toUpperCase());
  // The proposals are made of what is saved, which it is when this step is opened.
  const { data } = useQuery({ ...reading(call, applications.checkAccountName, { applicationId, query: { name: asked } }), gcTime: 0 });
  const typed = draft.accountName.trim().toUpperCase();
  const take = (accountName: string) => {
    onEdit({ accountName });
    setAsked(accountName);
  };
  const known = data && asked === typed && typed !== '';
  return (
    <>
      <FieldGroup legend="Kind of membership">
        {membershipKinds.map(kind => (
          <label key={kind} className={styles.kind}>
            <input type="radio" name="membership" checked={draft.membership === kind} onChange={() => onEdit({ membership: kind })} />
            <span>
              {membershipWords[kind].label}. <span className="muted">{membershipWords[kind].help}</span>
            </span>
          </label>
        ))}
      </FieldGroup>
      <Field
        id={fieldId('accountName')}
        label={questions.accountName.label}
        help={
          known && data.free === true
            ? `${typed} is free. It is kept for you when you submit.`
            : `How the registry calls the account: letters, digits and hyphens, with -${draft.economy || 'AU'} at the end.`
        }
        error={error ?? (known && data.free === false ? `${typed} is taken. Choose another account name` : undefined)}
      >
        <TextInput
          mono
          className={styles.upper}
          value={draft.accountName}
          maxLength={questions.accountName.most}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={event => onEdit({ accountName: event.target.value })}
          onBlur={() => setAsked(error === undefined ? typed : '')}
        />
      </Field>
      {data && data.proposals.length > 0 && (
        <div className={styles.proposals}>
          <span>Free:</span>
          {data.proposals.map(name => (
            <Button key={name} size="s" onClick={() => take(name)}>
              {name}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
