import { reading, useKit } from '@portal/app-kit';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import type { Uploads } from '@portal/app-kit/documents/uploads';
import type { Form } from '@portal/app-kit/form/use-form';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import { type ApplicationDraft, type ApplicationStep, isOptionalIn, membershipKinds } from '@portal/contract/applications/application-form';
import { type ApplicationDetail, type ApplicationTerms, applications } from '@portal/contract/applications/applications';
import { resourceKinds } from '@portal/contract/resources/resource-kinds';
import {
  Banner,
  Button,
  Checkbox,
  Field,
  FieldGroup,
  formatMoney,
  KeyValueList,
  Link,
  Section,
  Select,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './ApplicationWizard.module.css';
import { fieldsOf, isWebmail, type Question, questions, type StepField, type TextField } from './application-questions.ts';
import { capital, membershipWords, resourceWords } from './application-words.ts';
import { economyOptions } from './economy-options.ts';
import { FirstYearWords, useFirstYear } from './FirstYear.tsx';

type StepProps = {
  step: ApplicationStep;
  application: ApplicationDetail;
  form: Form<ApplicationDraft, StepField>;
  terms: ApplicationTerms;
  uploads: Uploads;
};

/** The questions about the organisation, in parts that are read one by one. */
const organisationParts: readonly { title: string; fields: readonly TextField[] }[] = [
  { title: 'Legal entity', fields: ['orgName', 'economy', 'organisationType', 'business', 'registrationNumber', 'tradingName'] },
  { title: 'Address', fields: ['postalAddress', 'city', 'region', 'postcode'] },
  { title: 'Contact', fields: ['phone', 'abuseEmail', 'website'] },
];

/** The questions of one step. */
export function StepFields(props: StepProps) {
  const { step, form } = props;
  const { values: draft, set: onEdit } = form;
  const plain = fieldsOf[step].filter(field => field !== 'accountName');
  const textFields = (fields: readonly TextField[]) => fields.map(field => <PlainField key={field} {...props} field={field} />);
  switch (step) {
    case 'contacts':
      return <ContactFields {...props} plain={textFields(plain)} />;
    case 'membership':
      return <MembershipFields {...props} />;
    case 'resources':
      return (
        <>
          <FieldGroup
            legend="What the organisation wants"
            help="You can choose none: membership doesn’t depend on resources. Each request is assessed under the policies."
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
      return <UploadField label="Certificate of incorporation and other evidence" uploads={props.uploads} {...form.field('documents')} />;
    case 'organisation':
      return organisationParts.map(({ title, fields }) => (
        <Section key={title} level={3} title={title}>
          <div className={styles.columns}>{textFields(fields)}</div>
        </Section>
      ));
    default:
      return <>{textFields(plain)}</>;
  }
}

function PlainField({ field, form, terms }: StepProps & { field: TextField }) {
  const question: Question = questions[field];
  const value = form.values[field];
  const control = { ...form.input(field), maxLength: question.most };
  const choice = { value, onChange: (event: { target: { value: string } }) => form.set({ [field]: event.target.value }) };
  const national = field === 'economy' ? terms.nationalRegistries.find(({ economy }) => economy === value) : undefined;
  return (
    <div className={question.type === 'lines' || question.type === 'words' ? styles.whole : undefined}>
      <Field
        label={question.label}
        help={typeof question.help === 'function' ? question.help(form.values) : question.help}
        optional={isOptionalIn(form.values, field)}
        {...form.field(field)}
      >
        {field === 'economy' ? (
          <Select {...choice} options={economyOptions(terms.economies)} />
        ) : question.options ? (
          <Select
            {...choice}
            options={[{ value: '', label: 'Choose' }, ...question.options.map(option => ({ value: option, label: capital(option) }))]}
          />
        ) : question.type === 'lines' || question.type === 'words' ? (
          <TextArea {...control} rows={question.type === 'words' ? 6 : 3} dir="auto" />
        ) : (
          <TextInput {...control} type={question.type ?? 'text'} dir="auto" />
        )}
      </Field>
      {national && (
        <Banner kind="info" title={`${economyWords(value)} has its own registry.`}>
          Most organisations there become members of <Link href={national.url}>{national.name}</Link>. You can still apply here.
        </Banner>
      )}
    </div>
  );
}

function ContactFields({ plain, ...props }: StepProps & { plain: ReactNode }) {
  const { fullName, email } = props.application.applicant;
  return (
    <>
      <Section
        level={3}
        title="Corporate contact"
        words="You, with this login. You act for the organisation and have every permission in its account."
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
              Use an address of the organisation: anyone who reads the mailbox could act for it.
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
  form,
}: StepProps & { which: 'billingContact' | 'technicalContact'; title: string; words: string }) {
  const contact = form.values[which];
  const set = (part: Partial<typeof contact>) => form.set({ [which]: { ...contact, ...part } });
  const field = (name: 'fullName' | 'email' | 'emailAgain' | 'phone', label: string, type: 'text' | 'email' | 'tel', optional = false) => (
    <Field label={label} optional={optional} {...form.field(`${which}.${name}`)}>
      <TextInput
        type={type}
        dir="auto"
        autoComplete="off"
        value={contact[name]}
        maxLength={name === 'fullName' ? 200 : name === 'phone' ? 40 : 254}
        onChange={event => set({ [name]: event.target.value })}
        onBlur={() => form.leave(`${which}.${name}`)}
      />
    </Field>
  );
  return (
    <Section level={3} title={title} words={words}>
      <Stack gap={16}>
        <Checkbox checked={contact.same} onChange={event => set({ same: event.target.checked })}>
          Same as me
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

function MembershipFields({ application, form: { values: draft, set: onEdit, field, input } }: StepProps) {
  const { call } = useKit();
  const { applicationId } = application;
  const [asked, setAsked] = useState(draft.accountName.trim().toUpperCase());
  // The proposals depend on saved input, which is saved when this step is opened.
  const { data } = useQuery({ ...reading(call, applications.checkAccountName, { applicationId, body: { name: asked } }), gcTime: 0 });
  const typed = draft.accountName.trim().toUpperCase();
  const take = (accountName: string) => {
    onEdit({ accountName });
    setAsked(accountName);
  };
  // The first proposal is filled in once, so that a name only has to be changed where another is wanted.
  const [proposed] = data?.proposals ?? [];
  const isFilled = useRef(draft.accountName !== '');
  useEffect(() => {
    if (isFilled.current || proposed === undefined) return;
    isFilled.current = true;
    onEdit({ accountName: proposed });
  }, [proposed, onEdit]);
  const known = data && asked === typed && typed !== '';
  const isFree = (known && data.free === true) || data?.proposals.includes(typed);
  const { id, error } = field('accountName');
  const control = input('accountName');
  return (
    <>
      <MembershipKinds draft={draft} onEdit={onEdit} />
      <Field
        id={id}
        label={questions.accountName.label}
        help={
          isFree
            ? `${typed} is available. It’s reserved when you submit.`
            : draft.economy === ''
              ? 'Letters, digits and hyphens, ending in the code of the organisation’s economy.'
              : `Letters, digits and hyphens, ending in -${draft.economy}, the organisation’s economy.`
        }
        error={error ?? (known && data.free === false ? `${typed} is taken. Choose another account name` : undefined)}
      >
        <TextInput
          mono
          className={styles.upper}
          {...control}
          maxLength={questions.accountName.most}
          autoCapitalize="characters"
          spellCheck={false}
          onBlur={() => setAsked(error === undefined ? typed : '')}
        />
      </Field>
      {data && data.proposals.length > 0 && (
        <div className={styles.proposals}>
          <span>Available:</span>
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

/** The kinds of membership, each with what the first year would cost. Without announced fees the calculator alone is named. */
function MembershipKinds({ draft, onEdit }: { draft: ApplicationDraft; onEdit: (part: Partial<ApplicationDraft>) => void }) {
  const fees = useFirstYear(draft.economy);
  return (
    <FieldGroup legend="Kind of membership" help={<FirstYearWords fees={fees} />}>
      {membershipKinds.map(kind => {
        const estimate = fees[kind];
        return (
          <label key={kind} className={styles.kind}>
            <input type="radio" name="membership" checked={draft.membership === kind} onChange={() => onEdit({ membership: kind })} />
            <span>
              {membershipWords[kind].label}. <span className="muted">{membershipWords[kind].help}</span>{' '}
              {estimate && <b className="nw">{formatMoney(estimate.currency, estimate.total)}</b>}
            </span>
          </label>
        );
      })}
    </FieldGroup>
  );
}
