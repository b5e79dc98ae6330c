import { FailureBanner, Page, useAddress, useChange, useKit, useSteadyAnswer } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import type { BodyOf } from '@portal/contract';
import { campaignWordNames, campaignWords, fillCampaign } from '@portal/contract/data-quality/campaign-text';
import { type CampaignDraft, campaigns } from '@portal/contract/data-quality/campaigns';
import { dataQuality } from '@portal/contract/data-quality/data-quality';
import { type FindingKey, findings, livingStates } from '@portal/contract/data-quality/findings';
import { pages } from '@portal/contract/pages';
import {
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  Disclosure,
  Field,
  formatCount,
  KeyValueList,
  LinkButton,
  Row,
  Select,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { useMay } from '../shell/use-may.ts';
import { BesideLetter, Letter } from '../shell/Letter.tsx';
import styles from './DataQuality.module.css';
import { peopleInWords } from './quality-words.ts';

/** A new campaign: the text beside the e-mail that the first person would get, and how many people that is. */
export function CampaignForm({ finding }: { finding: FindingKey }) {
  const may = useMay();
  const address = useAddress();
  const economy = address.get('economy') ?? '';
  const state = address.oneOf('state', ['all', ...livingStates]);
  const { title } = findings[finding];
  const back = `${pages.deskDataQuality.path}?finding=${finding}`;
  const filters = { ...(/^[A-Z]{2}$/.test(economy) && { economy }), ...(state !== 'all' && { state }) };
  return (
    <Page
      title="New campaign"
      sub={`${title}: one e-mail to ${findings[finding].to}.`}
      breadcrumb={
        <Breadcrumb
          items={[
            { label: pages.deskDataQuality.title, href: pages.deskDataQuality.path },
            { label: title, href: back },
            { label: 'New campaign' },
          ]}
        />
      }
    >
      {may(campaigns.sendCampaign) ? (
        <Writing finding={finding} filters={filters} back={back} />
      ) : (
        <Banner kind="info" title="Campaigns are sent by staff with “Announcements and events”.">
          Ask a colleague with that permission, or see the campaigns that were sent.
        </Banner>
      )}
    </Page>
  );
}

type Filters = { economy?: string; state?: (typeof livingStates)[number] };
const refresh = [campaigns.listCampaigns, campaigns.getCampaignDraft, dataQuality.getDataQuality];

function Writing({ finding, filters, back }: { finding: FindingKey; filters: Filters; back: string }) {
  const { router, notify } = useKit();
  const { answer: draft, stale } = useSteadyAnswer(campaigns.getCampaignDraft, { query: { finding, ...filters } });
  const [ready, setReady] = useState<BodyOf<typeof campaigns.sendCampaign> | null>(null);
  const send = useChange(campaigns.sendCampaign, {
    refresh,
    showsErrors: true,
    onDone: ({ people }) => {
      notify({ text: `The campaign to ${peopleInWords(people)} is being sent.` });
      router.go(back, { replace: true });
    },
  });
  const form = useForm(
    campaigns.sendCampaign.body,
    { subject: draft.subject, body: draft.body },
    {
      name: 'campaign',
      ifEmpty: { subject: 'Enter a subject', body: 'Enter the text' },
      toBody: values => ({ finding, ...filters, ...values, people: Math.max(1, draft.people), after: draft.after }),
      change: send,
      send: body => setReady(body as BodyOf<typeof campaigns.sendCampaign>),
    },
  );
  const { field, input, values } = form;
  return (
    <BesideLetter>
      <Sheet title="E-mail">
        <Form form={form} label="New campaign">
          <AimFields filters={filters} />
          <Field label="Subject" {...field('subject')}>
            <TextInput dir="auto" {...input('subject')} />
          </Field>
          <Field label="Text" help="Separate paragraphs by an empty line. The greeting and the button are added." {...field('body')}>
            <TextArea rows={11} dir="auto" {...input('body')} />
          </Field>
          <Disclosure summary="Words that are filled in">
            <dl className={styles.words}>
              {campaignWordNames.map(name => [
                <dt key={name}>
                  <code>{`{${name}}`}</code>
                </dt>,
                <dd key={`${name} means`}>{campaignWords[name]}</dd>,
              ])}
            </dl>
          </Disclosure>
          <ButtonRow>
            <Button
              type="submit"
              variant="commit"
              busy={form.busy || stale}
              refusal={draft.people === 0 ? { reason: 'No one can be written to about this finding now.' } : null}
              refusalIn="note"
            >
              {draft.people === 0 ? 'Send' : `Send to ${peopleInWords(draft.people)}…`}
            </Button>
            <LinkButton href={back}>Cancel</LinkButton>
          </ButtonRow>
        </Form>
      </Sheet>
      <Preview draft={draft} values={values} finding={finding} />
      {ready && (
        <ConfirmDialog
          open
          onClose={() => setReady(null)}
          title={`Send to ${peopleInWords(ready.people)}?`}
          act={`Send ${ready.people === 1 ? '1 e-mail' : `${formatCount(ready.people)} e-mails`}`}
          busy={send.isPending}
          error={<FailureBanner failure={send.error} />}
          onAct={() => send.mutate({ body: ready })}
        >
          <p>
            “{ready.subject}” is sent once, starting immediately. It can be stopped while it is being sent; e-mails that were sent can’t be
            taken back.
          </p>
        </ConfirmDialog>
      )}
    </BesideLetter>
  );
}

function AimFields({ filters: { economy = '', state } }: { filters: Filters }) {
  const address = useAddress();
  const [typed, setTyped] = useState(economy);
  return (
    <Row wrap top gap={16}>
      <Field label="Economy" optional help="A two-letter code, such as AU.">
        <TextInput
          value={typed}
          maxLength={2}
          spellCheck={false}
          onChange={({ target }) => {
            const code = target.value.toUpperCase();
            setTyped(code);
            if (code === '' || /^[A-Z]{2}$/.test(code)) address.set({ economy: code || null });
          }}
        />
      </Field>
      <Field label="Account state" optional>
        <Select
          value={state ?? 'all'}
          options={[{ value: 'all', label: 'Any' }, ...livingStates.map(value => ({ value: value as string, label: value }))]}
          onChange={({ target }) => address.set({ state: target.value === 'all' ? null : target.value })}
        />
      </Field>
    </Row>
  );
}

/** The e-mail that the first person would get, with the real values, and the people who are left out. */
function Preview({ draft, values, finding }: { draft: CampaignDraft; values: { subject: string; body: string }; finding: FindingKey }) {
  const { example, people, accounts, leftOut, unreached, quietDays } = draft;
  return (
    <Stack gap={16}>
      <Sheet title="Reach">
        <KeyValueList
          align="left"
          items={[
            { key: 'People', value: `${formatCount(people)} in ${formatCount(accounts)} ${accounts === 1 ? 'account' : 'accounts'}` },
            ...(leftOut > 0
              ? [{ key: 'Left out', value: `${peopleInWords(leftOut)} who got this campaign within ${quietDays} days` }]
              : []),
            ...(unreached > 0
              ? [
                  {
                    key: 'Not reached',
                    value: `${formatCount(unreached)} ${unreached === 1 ? 'account' : 'accounts'} in which no one can be written to`,
                  },
                ]
              : []),
          ]}
        />
      </Sheet>
      <Sheet title="Preview" meta={example ? `To ${example.name}` : undefined}>
        {example ? (
          <Letter
            subject={fillCampaign(values.subject, example)}
            text={fillCampaign(values.body, example)}
            before={<p>Hello {example.name},</p>}
          >
            <span className={styles.act}>{draft.act}</span>
          </Letter>
        ) : (
          <p className="quiet">
            {leftOut > 0
              ? `Everyone got this campaign within ${quietDays} days.`
              : `No ${findings[finding].many}, or no one who can be written to.`}
          </p>
        )}
      </Sheet>
    </Stack>
  );
}
