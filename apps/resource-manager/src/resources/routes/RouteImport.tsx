import { useAddress } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { noCall, useForm } from '@portal/app-kit/form/use-form';
import { maxRouteLines, maxRoutesAtOnce, routes } from '@portal/contract/routes/routes';
import { formatCount } from '@portal/number-resources';
import { Button, ButtonRow, Panel, Sheet } from '@portal/ui';
import { useState } from 'react';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { CsvText } from '../CsvText.tsx';
import { ChangeReview, noChanges } from './ChangeReview.tsx';
import { hrefOfSaved, routesPath } from './route-words.ts';

const example = 'prefix,asn,max length,roa,whois,comment,owner\n192.0.2.0/24,AS64500,24,yes,no,Site Suva,Network team';

/** Imports routes from pasted lines or a CSV file: every bad line is named; all are saved, or none. */
export function RouteImport() {
  const address = useAddress();
  const [reviewed, setReviewed] = useState<string | null>(null);
  const form = useForm(
    routes.checkRoutes.body,
    { text: '' },
    {
      name: 'routes',
      toBody: ({ text }) => ({ ...noChanges, text }),
      check: ({ text }) => ({ ...(text.trim() === '' && { text: 'Choose a file or paste lines first' }) }),
      change: noCall,
      send: (_, { text }) => setReviewed(text),
    },
  );
  return (
    <SidePanelLayout>
      <Sheet aria-label="Lines">
        <Form form={form} label="Lines">
          <CsvText
            field={form.field('text')}
            label="Lines"
            help={`Up to ${formatCount(maxRouteLines)} lines, of which ${formatCount(maxRoutesAtOnce)} may add or change a route. Prefix, AS number, maximum length, ROA, whois, comment, owner. A first line with names allows another order. 192.0.2.0/23-24 => AS64500 works too. Routes you have are changed, others added.`}
            example={example}
            rows={14}
            value={form.values.text}
            onChange={text => {
              form.set({ text });
              setReviewed(null);
            }}
          />
          <ButtonRow>
            <Button type="submit" variant="primary">
              Review
            </Button>
            <Button onClick={() => address.go(routesPath)}>Cancel</Button>
          </ButtonRow>
        </Form>
      </Sheet>
      {reviewed === null ? (
        <Panel title="Review">
          <p className="small muted">Press Review to see each line that is wrong, what will be written, and what announcements become.</p>
        </Panel>
      ) : (
        <ChangeReview
          key={reviewed}
          changes={{ ...noChanges, text: reviewed }}
          onSaved={({ changeId }) => address.go(hrefOfSaved(changeId))}
          onCancel={() => setReviewed(null)}
        />
      )}
    </SidePanelLayout>
  );
}
