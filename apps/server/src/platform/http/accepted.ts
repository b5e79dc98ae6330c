/** An answer sent as 202: the request waits for a decision (`waitsFor` of the endpoint). */
export class Accepted<Answer> {
  readonly answer: Answer;
  constructor(answer: Answer) {
    this.answer = answer;
  }
}
