/** The customer who is there from the start, if nobody chose another. */
export const FIRST_CUSTOMER = 'first-customer@localhost';
export const FIRST_CREDITS = 1000;
