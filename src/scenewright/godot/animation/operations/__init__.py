"""Operations on animations, animation trees and sprite frames."""
