import { dateFormatOf, Page, type ThemeChoice, useDateFormat, usePreferences, useSession } from '@portal/app-kit';
import { DateText, Field, FieldGroup, Link, Row, Section, Segmented, Select, Stack } from '@portal/ui';
import { useState } from 'react';
import { AcceptedTexts } from './AcceptedTexts.tsx';
import styles from './SettingsPage.module.css';
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
    <Page title="Personal settings" sub="Changes apply immediately, on every device you sign in on.">
      <Stack gap={16}>
        <Section title="Display">
          <div className={styles.display}>
            <Field
              label="Time zone"
              help={
                <>
                  It is now <DateText value={now} /> there. Registry rules follow{' '}
                  <DateText value={now} format={{ timeZone: environment.registryTimeZone, hourCycle: format.hourCycle }} /> (
                  {environment.registryTimeZone}).
                </>
              }
            >
              <Select
                value={kept.timeZone ?? 'system'}
                onChange={event => change({ timeZone: event.target.value })}
                options={[
                  { value: 'system', label: `Same as this device (${device})` },
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
                    { value: 'system', label: 'Device' },
                    { value: 'h23', label: '24 hours' },
                    { value: 'h12', label: '12 hours' },
                  ]}
                  onChange={hourCycle => change({ hourCycle })}
                />
              </Row>
            </FieldGroup>
            <FieldGroup legend="Theme">
              <Row>
                <Segmented<ThemeChoice>
                  label="Theme"
                  value={kept.theme ?? 'system'}
                  options={[
                    { value: 'system', label: 'Device' },
                    { value: 'light', label: 'Light' },
                    { value: 'dark', label: 'Dark' },
                  ]}
                  onChange={theme => change({ theme })}
                />
              </Row>
            </FieldGroup>
          </div>
        </Section>
        <NotificationSettings />
        <Section title="Your login">
          <p className="small">
            {person.fullName}, {person.email}.{' '}
            {person.hasSecondFactor ? 'Two-factor authentication is on' : 'Two-factor authentication is off'};{' '}
            {person.mfa ? 'you signed in with it.' : 'you signed in without it.'}
            {person.coolDownUntil !== null && (
              <>
                {' '}
                You can’t change anything in the registry until <DateText value={person.coolDownUntil} />.
              </>
            )}
            {environment.profileUrl !== '/settings' && (
              <>
                {' '}
                <Link href={environment.profileUrl}>Names, e-mail address, password, second factors and sessions</Link>
              </>
            )}
          </p>
        </Section>
        <AcceptedTexts />
      </Stack>
    </Page>
  );
}
