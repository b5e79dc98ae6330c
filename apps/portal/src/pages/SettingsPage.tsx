import { dateFormatOf, Page, type ThemeChoice, useDateFormat, usePreferences, useSession } from '@portal/app-kit';
import { DateText, Field, FieldGroup, FormColumn, KeyValueList, Link, Row, Section, Segmented, Select } from '@portal/ui';
import { useState } from 'react';
import { NotificationSettings } from './notifications/NotificationSettings.tsx';

const device = dateFormatOf({}).timeZone;
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')];

/** The person's display settings: time zone, clock, theme. Stored on the server, so that they apply on every device. */
export default function SettingsPage() {
  const { person, environment } = useSession();
  const [kept, change] = usePreferences();
  const format = useDateFormat();
  // The moment the page was opened: an example that does not change.
  const [now] = useState(() => new Date().toISOString());
  return (
    <Page title="Personal settings" sub="Changes hold at once, on every device you sign in on.">
      <Section title="Dates and times" words="How times are written for you. Rules of the registry follow its official time zone." beside>
        <FormColumn>
          <Field
            label="Time zone"
            help={
              <>
                It is now <DateText value={now} /> there.
              </>
            }
          >
            <Select
              value={kept.timeZone ?? 'system'}
              onChange={event => change({ timeZone: event.target.value })}
              options={[
                { value: 'system', label: `As on this device (${device})` },
                ...zones.map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') })),
              ]}
            />
          </Field>
          <FieldGroup legend="Clock">
            <Row>
              <Segmented
                label="Clock"
                value={kept.hourCycle ?? 'system'}
                options={[
                  { value: 'system', label: 'As on this device' },
                  { value: 'h23', label: '24 hours' },
                  { value: 'h12', label: '12 hours' },
                ]}
                onChange={hourCycle => change({ hourCycle })}
              />
            </Row>
          </FieldGroup>
          <p className="small muted">
            Official time of the registry:{' '}
            <DateText value={now} format={{ timeZone: environment.registryTimeZone, hourCycle: format.hourCycle }} /> (
            {environment.registryTimeZone})
          </p>
        </FormColumn>
      </Section>
      <Section title="Theme" words="Light, dark, or as the device is set." beside>
        <Segmented<ThemeChoice>
          label="Theme"
          value={kept.theme ?? 'system'}
          options={[
            { value: 'system', label: 'As on this device' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onChange={theme => change({ theme })}
        />
      </Section>
      <NotificationSettings />
      <Section title="Your login" words="Who you are to the registry, and how nobody else can be you." beside>
        <KeyValueList
          align="left"
          items={[
            { key: 'Name', value: person.fullName },
            { key: 'E-mail', value: person.email },
            { key: 'Second factor', value: person.hasSecondFactor ? 'turned on' : 'not turned on' },
            { key: 'This session', value: person.mfa ? 'logged in with a second factor' : 'logged in without a second factor' },
            ...(person.coolDownUntil === null
              ? []
              : [
                  {
                    key: 'Waiting',
                    value: (
                      <>
                        nothing in the registry can be changed until <DateText value={person.coolDownUntil} />
                      </>
                    ),
                  },
                ]),
          ]}
        />
        {environment.profileUrl !== '/settings' && (
          <p>
            <Link href={environment.profileUrl}>Names, e-mail address, password, second factors and sessions</Link>
          </p>
        )}
      </Section>
    </Page>
  );
}
