/** An answer that is sent as 202: what was asked for waits for somebody (`waitsFor` of the endpoint). */
export class Accepted<Answer> {
  readonly answer: Answer;
  constructor(answer: Answer) {
    this.answer = answer;
  }
}
