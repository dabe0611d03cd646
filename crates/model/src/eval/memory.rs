//! Places, addresses and slots: where values live while code is evaluated.

use tioga_base::{Rational, Span};

use super::{Data, Evaluator, Result};
use crate::{Base, EvalFault, EvalFaultKind, Lvalue};

/// Addresses from here on lie in [`Code::constants`](crate::Code::constants).
const CONSTANTS: usize = 1 << 31;

impl Evaluator<'_> {
    /// The address of a place, indices checked.
    pub(super) fn address(&mut self, place: &Lvalue, span: Span) -> Result<usize> {
        let base = match place.base {
            Base::Global => 0,
            Base::Constant => CONSTANTS,
            Base::Frame => self.frame_address(0),
            Base::Reference(slot) => {
                let stored = self.load(self.frame_address(slot), span)?;
                let address = u32::try_from(stored);
                address.map_err(|_| EvalFault::new(EvalFaultKind::BadAddress, span))? as usize
            }
        };
        let mut address = base + place.offset as usize;
        for dynamic in &place.indices {
            let index = self.int(dynamic.index)?;
            let position = index.checked_sub(dynamic.first).unwrap_or(-1);
            if position < 0 || position >= i64::from(dynamic.length) {
                let (first, length) = (dynamic.first, dynamic.length);
                let kind = EvalFaultKind::IndexOutOfBounds { index, first, length };
                return Err(self.fault(dynamic.index, kind));
            }
            address += position as usize * dynamic.stride as usize;
        }
        Ok(address)
    }

    pub(super) fn frame_address(&self, slot: u32) -> usize {
        self.data.slots().len() + self.frame + slot as usize
    }

    pub(super) fn load(&self, address: usize, span: Span) -> Result<i64> {
        if let Some(position) = address.checked_sub(CONSTANTS) {
            let constant = self.code.constants.get(position);
            return constant.copied().ok_or(EvalFault::new(EvalFaultKind::BadAddress, span));
        }
        let globals = self.data.slots();
        let slot = match address.checked_sub(globals.len()) {
            None => globals.get(address),
            Some(position) => self.stack.get(position),
        };
        slot.copied().ok_or(EvalFault::new(EvalFaultKind::BadAddress, span))
    }

    pub(super) fn store(&mut self, address: usize, value: i64, span: Span) -> Result<()> {
        let slot = match address.checked_sub(self.data.slots().len()) {
            Some(position) => self.stack.get_mut(position),
            None => match &mut self.data {
                Data::Read(_) => return Err(EvalFault::new(EvalFaultKind::WriteInCondition, span)),
                Data::Write(slots) => slots.get_mut(address),
            },
        };
        *slot.ok_or(EvalFault::new(EvalFaultKind::BadAddress, span))? = value;
        Ok(())
    }

    pub(super) fn load_rational(&self, address: usize, span: Span) -> Result<Rational> {
        let (numerator, denominator) = (self.load(address, span)?, self.load(address + 1, span)?);
        // A local rational that was never assigned has denominator 0 and counts as zero.
        if denominator == 0 && numerator == 0 {
            return Ok(Rational::ZERO);
        }
        Rational::new(numerator, denominator)
            .map_err(|_| EvalFault::new(EvalFaultKind::Overflow, span))
    }

    pub(super) fn store_rational(
        &mut self,
        address: usize,
        value: Rational,
        span: Span,
    ) -> Result<()> {
        self.store(address, value.numerator(), span)?;
        self.store(address + 1, value.denominator(), span)
    }
}
