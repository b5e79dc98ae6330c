import { show } from '@portal/app-kit/testing';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AnswerTimes, ordinal } from './AnswerTimes.tsx';
import { PlanChart } from './PlanChart.tsx';

const queue = { waiting: 5, inReview: 2, medianDays: 1.4, answerDays: [0.25, 0.5, 0.5, 1, 1.25, 1.5, 1.5, 2, 2.5, 3.75] };

it('tells the place that a request would get, and how long half of the answers took', () => {
  show(<AnswerTimes queue={queue} place={6} />);
  expect(screen.getByText('6th in line')).toBeTruthy();
  expect(screen.getByText('2 are being reviewed')).toBeTruthy();
  expect(
    screen.getByRole('img', {
      name: 'Half were answered within 1.4 working days: 10 answers in the last 30 days, the slowest after 3.75 days.',
    }),
  ).toBeTruthy();
});

it('draws nothing of a few answers, which say little about the next one', () => {
  show(<AnswerTimes queue={{ ...queue, answerDays: [0.25, 1, 1.5, 3.75] }} place={6} />);
  expect(screen.getByText('Half were answered within 1.4 working days, of 4 in the last 30 days.')).toBeTruthy();
  expect(screen.queryByRole('img')).toBeNull();
});

it('tells the place of a sent request among all, and claims nothing without answers', () => {
  show(<AnswerTimes queue={{ waiting: 9, inReview: 0, medianDays: null, answerDays: [] }} place={6} isSent />);
  expect(screen.getByText('6th of 9')).toBeTruthy();
  expect(screen.getByText('No request was answered in the last 30 days.')).toBeTruthy();
  expect(screen.queryByRole('img')).toBeNull();
});

it.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [12, '12th'],
  [21, '21st'],
  [113, '113th'],
])('place %d is %s', (place, words) => {
  expect(ordinal(place)).toBe(words);
});

it('says a plan over time in words, with the size asked for', () => {
  show(
    <PlanChart
      plan={[
        { purpose: 'Access', amounts: [100, 200, 300] },
        { purpose: 'Hosting', amounts: [24] },
      ]}
      months={[0, 6, 12]}
      limits={[
        { label: '/24', amount: 256, asked: true },
        { label: '/23', amount: 512, asked: false },
      ]}
    />,
  );
  expect(screen.getByRole('img', { name: 'Addresses needed: now 124, in 6 months 200, in 12 months 300; a /24 has 256' })).toBeTruthy();
});

it.each([
  { amounts: [], words: 'Enter the addresses you need at each time to see which size fits.' },
  { amounts: [100, 200, 236], words: 'You reach 236 addresses in 12 months: a /24 has room for 20 more.' },
  { amounts: [100, 200, 256], words: 'You reach 256 addresses in 12 months: a /24 is full in about month 12.' },
  { amounts: [56, 156, 356], words: 'You reach 356 addresses in 12 months: a /24 is full in about month 9.' },
  { amounts: [256, 100, 0], words: 'You need 256 addresses now: a /24 is full from the start.' },
  { amounts: [300, 300, 400], words: 'You reach 400 addresses in 12 months: a /24 is too small already now.' },
])('says whether a /24 is enough for $amounts', ({ amounts, words }) => {
  show(<PlanChart plan={[{ purpose: 'Access', amounts }]} months={[0, 6, 12]} limits={[{ label: '/24', amount: 256, asked: true }]} />);
  expect(screen.getByText(words)).toBeTruthy();
});

it('says which size a plan needs before one is chosen, and that none is large enough', () => {
  const limits = [256, 512].map((amount, place) => ({ label: `/${24 - place}`, amount, asked: false }));
  show(<PlanChart plan={[{ purpose: 'Access', amounts: [0, 0, 300] }]} months={[0, 6, 12]} limits={limits} />);
  expect(screen.getByText('You reach 300 addresses in 12 months: a /23 has room for 212 more.')).toBeTruthy();
  show(<PlanChart plan={[{ purpose: 'Access', amounts: [0, 0, 600] }]} months={[0, 6, 12]} limits={limits} />);
  expect(screen.getByText('You reach 600 addresses in 12 months, more than any size offered here.')).toBeTruthy();
});
