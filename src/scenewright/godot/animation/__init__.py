"""Animations, animation trees and sprite frames as files hold them; no operation is declared here."""
